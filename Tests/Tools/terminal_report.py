"""Reads the report that tripkpi prints on a terminal back into numbers as text, by its columns."""
import re

ASCII_SIGNS = {"•": "*", "–": "-", "·": "/"}


class TerminalReport:
    """The parts of a printed report: each a list of lines, by its heading."""

    def __init__(self, text, ascii=False):
        self.ascii = ascii
        self.lines = text.split("\n")
        self.hidden, self.none = ("*", "-") if ascii else ("•", "–")
        blocks, block = [], []
        for line in self.lines + [""]:
            if line:
                block.append(line)
            elif block:
                blocks.append(block)
                block = []
        self.blocks = blocks

    def block(self, pattern):
        found = [b for b in self.blocks if re.match(pattern, b[0])]
        return found[0] if found else None

    def heads(self):
        """Title -> (value, subtitle) of the key figures, and the sparkline with its range."""
        heads, spark = {}, None
        for block in self.blocks[:3]:
            for line in block:
                if line.startswith("Trips by month"):
                    spark = line[18:].split("  ", 1)
                elif re.match(r"^(Total trips|In-house|Cost per trip|Average duration|Response p90) ", line):
                    title = line[:18].strip()
                    heads[title] = (line[18:35].strip(), line[35:])
                elif heads and line.startswith(" " * 35):
                    # The rest of a long subtitle.
                    heads[title] = (heads[title][0], heads[title][1] + " " + line[35:])
        return heads, spark

    def grid(self, pattern):
        """(region, type) -> (figures, trend), and region -> trip types that are hidden whole; the figures' titles."""
        block = self.block(pattern)
        header = block[1]
        kind = header.index("Type")
        figures = header.index("Trips") if " Trend" not in header else None
        end = header.index(" Trend") if " Trend" in header else len(header)
        titles = header[kind:end].replace("Resp. ", "Resp.").split()[1:]
        median = [title for title in titles if title == "Resp.p50"]
        assert titles == ["Trips", "In-house", "Cost/trip", "Duration", *median, "Resp.p90"], header
        rows, parts, region = {}, {}, None
        pending = None
        for line in block[2:]:
            if line.startswith(" "):
                words = line.strip()
                if words.startswith(self.hidden + " "):
                    parts[region_of(rows, line, block)] = words[2:]
                    pending = region_of(rows, line, block)
                else:
                    parts[pending] += " " + words
                continue
            region = line[:kind].strip()
            trip_type, *numbers = line[kind:end].rsplit(None, len(titles))
            rows[region, trip_type.strip()] = (numbers, line[end + 1:] if end < len(header) else None)
        return rows, {key: value.split(", ") for key, value in parts.items()}, titles

    def months(self):
        block = self.block(r"By month")
        lines = [line for line in block[2:] if re.match(r"\d{4}-\d\d ", line)] if block else []
        return {line.split()[0]: line.split()[1:] for line in lines} if block else None

    def against(self):
        block = self.block(r"\d{4}-\d\d against")
        if not block:
            return None
        rows = {}
        for line in block[1:]:
            what, *numbers = line.rsplit(None, 2)
            rows[what.strip()] = numbers
        return block[0].split()[0], rows

    def used(self):
        return {line.split()[0]: line.split()[1:] for line in self.block(r"Trips used and excluded")[1:]}

    def restated(self):
        block = self.block(r"Restated")
        return [re.match(r"(\S+), on (\S+): (.*?)  +(\S+) +(\S+)$", line).groups() for line in block[1:]] if block else []

    def quality(self):
        """The sentences, whole again."""
        return re.sub(r"\s*\n", " ", "\n".join(self.block(r"Data quality")[1:]))


def region_of(rows, line, block):
    """The region that a line of hidden trip types stands below."""
    place = next(i for i, other in enumerate(block) if other is line)
    kind = block[1].index("Type")
    for other in reversed(block[2:place]):
        if not other.startswith(" "):
            return other[:kind].strip()
    return "All"
