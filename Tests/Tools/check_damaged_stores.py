#!/usr/bin/env python3
"""Stores with damaged bytes: no command may crash or publish other figures because of them.

A store of two nights is damaged at a seeded place: bits, bytes, sectors and pages, in tallies, rows, the ledger, the
schema and the file's header; pages are swapped, copied or taken from the night before; the file is cut or longer. Then
`report` reads the store, `verify` checks it, and `run` loads a third night's exports and publishes. No command ends by
a signal or with 70. `report` and `run` end with 0 only if their figures are those of the undamaged store. A run that
fails says what to do, and the set of the second night still stands, whole. CHECK_DAMAGES says how many stores (84;
1000 by hand), CHECK_SEED which, CHECK_DAMAGE which kinds by a word of their name. The last line is
`N passed, N failed`.
"""
import collections
import json
import os
import pathlib
import random
import re
import sqlite3
import sys
import tempfile

from nightly_site import AUDIENCES, SECOND_NIGHT, Checks, corrections, sample, set_fault, two_nights

DAMAGES = int(os.environ.get("CHECK_DAMAGES", "84"))
SEED = int(os.environ.get("CHECK_SEED", "3"))
ONLY = os.environ.get("CHECK_DAMAGE", "")
ROWS = int(os.environ.get("CHECK_ROWS", "700"))
THIRD_NIGHT = SECOND_NIGHT + 86_400
REPORT = ("report", "--internal", "--format", "json", "--quiet")
# A store that is damaged is an I/O error; `verify` also ends with 65 where what is published is not what the store says.
CODES = {"run": {0, 74}, "report": {0, 74}, "verify": {0, 65, 74}}
REMEDY = re.compile(r"backup|restore", re.IGNORECASE)


class Store:
    """The bytes of an undamaged store, and where its tables lie in them."""
    def __init__(self, path, earlier):
        self.content, self.earlier = path.read_bytes(), earlier
        self.page_size = int.from_bytes(self.content[16:18], "big") or 65_536
        self.pages = len(self.content) // self.page_size
        self.of_table, self.tallies = collections.defaultdict(list), []
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            for name, page in connection.execute("SELECT name, pageno FROM dbstat"):
                self.of_table[name].append(page)
            for (body,) in connection.execute("SELECT body FROM month_tallies WHERE body IS NOT NULL"):
                at = self.content.find(body[:64])
                if at >= 0:
                    self.tallies.append((at, min(len(body), self.page_size // 8)))

    def page(self, number):
        """Where a page begins; the first is page 1."""
        return (number - 1) * self.page_size

    def any_page(self, chance):
        """Each table is as likely as any other, however few pages it has."""
        return self.page(chance.choice(self.of_table[chance.choice(sorted(self.of_table))]))

    def cells(self, start):
        """From where to where a page holds cells, not free space."""
        header = start + (100 if start == 0 else 0)
        first = int.from_bytes(self.content[header + 5:header + 7], "big") or self.page_size
        return start + min(first, self.page_size - 1), start + self.page_size


def with_bytes(content, at, more):
    return content[:at] + more + content[at + len(more):]


def with_bit(content, at, chance):
    return with_bytes(content, at, bytes([content[at] ^ 1 << chance.randrange(8)]))


# The damages. Each function takes the store and chance, and returns the damaged bytes.

def bit_in_a_cell(store, chance):
    return with_bit(store.content, chance.randrange(*store.cells(store.any_page(chance))), chance)


def bytes_in_a_cell(store, chance):
    at = chance.randrange(*store.cells(store.any_page(chance)))
    return with_bytes(store.content, at, chance.randbytes(min(chance.randint(1, 16), len(store.content) - at)))


def in_a_cell_of(*tables):
    def damage(store, chance):
        found = [name for name in tables if name in store.of_table]
        start = store.page(chance.choice(store.of_table[chance.choice(found)]))
        content = store.content
        for _ in range(chance.choice((1, 1, 3))):
            content = with_bit(content, chance.randrange(*store.cells(start)), chance)
        return content
    return damage


def bit_in_a_tally(store, chance):
    at, length = chance.choice(store.tallies)
    return with_bit(store.content, at + chance.randrange(length), chance)


def bytes_in_a_tally(store, chance):
    at, length = chance.choice(store.tallies)
    return with_bytes(store.content, at + chance.randrange(length), chance.randbytes(chance.randint(1, 8)))


def zeros_in_a_tally(store, chance):
    at, length = chance.choice(store.tallies)
    return with_bytes(store.content, at + chance.randrange(length), bytes(chance.randint(1, 64)))


def page_of_zeros(store, chance):
    return with_bytes(store.content, store.any_page(chance), bytes(store.page_size))


def page_of_noise(store, chance):
    return with_bytes(store.content, store.any_page(chance), chance.randbytes(store.page_size))


def sector_of_zeros(store, chance):
    at = store.any_page(chance) + chance.randrange(store.page_size // 512) * 512
    return with_bytes(store.content, at, bytes(512))


def sector_of_noise(store, chance):
    at = store.any_page(chance) + chance.randrange(store.page_size // 512) * 512
    return with_bytes(store.content, at, chance.randbytes(512))


def pages_swapped(store, chance):
    one, other = store.any_page(chance), store.any_page(chance)
    content = with_bytes(store.content, one, store.content[other:other + store.page_size])
    return with_bytes(content, other, store.content[one:one + store.page_size])


def page_of_another(store, chance):
    one, other = store.any_page(chance), store.any_page(chance)
    return with_bytes(store.content, one, store.content[other:other + store.page_size])


def page_of_the_night_before(store, chance):
    """A write that was lost."""
    pages = [at for at in range(0, min(len(store.earlier), len(store.content)), store.page_size)
             if store.earlier[at:at + store.page_size] != store.content[at:at + store.page_size]]
    at = chance.choice(pages)
    return with_bytes(store.content, at, store.earlier[at:at + store.page_size])


def page_header(store, chance):
    start = store.any_page(chance)
    return with_bytes(store.content, start + (100 if start == 0 else 0) + chance.randrange(12), chance.randbytes(1))


def cell_pointers(store, chance):
    start = store.any_page(chance)
    return with_bytes(store.content, start + (100 if start == 0 else 0) + 8 + chance.randrange(40), chance.randbytes(2))


def file_header(store, chance):
    return with_bytes(store.content, chance.randrange(100), chance.randbytes(chance.choice((1, 1, 4))))


def schema_page(store, chance):
    return with_bytes(store.content, chance.randrange(100, store.page_size), chance.randbytes(chance.choice((1, 4))))


def cut(store, chance):
    return store.content[:chance.choice((chance.randrange(len(store.content)), len(store.content) - store.page_size,
                                         len(store.content) - 1, store.page_size, 100))]


def longer(store, chance):
    return store.content + chance.randbytes(chance.choice((1, 512, store.page_size * 2)))


def noise_anywhere(store, chance):
    content = store.content
    for _ in range(chance.randint(1, 40)):
        content = with_bit(content, chance.randrange(len(content)), chance)
    return content


def nothing(store, chance):
    return store.content


KINDS = {
    "bit in a cell": bit_in_a_cell, "bytes in a cell": bytes_in_a_cell, "bit in a tally": bit_in_a_tally,
    "bytes in a tally": bytes_in_a_tally, "zeros in a tally": zeros_in_a_tally,
    "row of a trip": in_a_cell_of("trips"), "row of an older version": in_a_cell_of("older_versions"),
    "index of trips": in_a_cell_of("trips_by_key"), "ledger": in_a_cell_of("exports", "inbox_files"),
    "totals": in_a_cell_of("store"), "names": in_a_cell_of("regions", "trip_types", "texts", "calendar"),
    "rejects": in_a_cell_of("rejects", "reject_places"), "migrations": in_a_cell_of("grdb_migrations"),
    "page of zeros": page_of_zeros, "page of noise": page_of_noise, "sector of zeros": sector_of_zeros,
    "sector of noise": sector_of_noise, "pages swapped": pages_swapped, "page of another": page_of_another,
    "page of the night before": page_of_the_night_before, "page header": page_header, "cell pointers": cell_pointers,
    "file header": file_header, "schema page": schema_page, "cut": cut, "longer": longer,
    "bits anywhere": noise_anywhere, "no damage": nothing,
}


def figures(site):
    """What is published for each audience, without what differs from run to run."""
    published = {}
    for audience in AUDIENCES:
        current = site.current(audience)
        summary = json.loads(current["kpi-summary.json"])
        published[audience] = ({key: value for key, value in summary.items() if key not in ("generatedAt", "runId")},
                               current["kpi-cells.csv"])
    return published


def three_nights(folder, rows):
    """A site after two nights with a third night's exports waiting, and the store's bytes of the first night."""
    site = two_nights(folder, rows)
    earlier = site.store.read_bytes()
    site.succeed("run", "--quiet")
    sample(site.inbox / "trips-6.csv", rows, 7)
    corrections(site.inbox / "trips-2.csv", site.inbox / "corrections-2.csv", every=7, updated="2026-04-02 12:00:00")
    corrections(site.inbox / "trips-0.csv", site.inbox / "corrections-3.csv", every=31, status="void",
                updated="2026-04-02 12:00:00")
    site.epoch = THIRD_NIGHT
    return site, earlier


def differing(expected, found):
    """The top-level keys of a summary whose values differ."""
    return ", ".join(sorted(key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key)))


class Night:
    """What the undisturbed third night shows."""
    def __init__(self, start, folder):
        self.second = figures(start)
        self.before = json.loads(start.succeed(*REPORT)[0])
        site = start.copied(folder, THIRD_NIGHT)
        site.succeed("run", "--quiet")
        self.third, self.after = figures(site), json.loads(site.succeed(*REPORT)[0])


def meets(checks, name, site, night, codes, verifies):
    """One damaged store through `report`, `verify` and `run`."""
    def end(command, *words):
        code, output, messages = site.tripkpi(*words)
        codes[command][code] += 1
        faults = [code < 0 and f"{command} ended by signal {-code}: {messages[:300]}",
                  code >= 0 and code not in CODES[command] and f"{command} ended with {code}: {messages[-400:]}",
                  code != 0 and not (output + messages).strip() and f"{command} ended with {code} and says nothing"]
        return code, output, messages, faults

    def report(expected, which):
        code, output, _, faults = end("report", *REPORT)
        if code == 0:
            found = json.loads(output)
            faults.append(found != expected and f"report {which} ended with 0 and shows other figures: "
                          f"{differing(expected, found)}")
        return faults

    faults = report(night.before, "before the run")
    if verifies:
        faults += end("verify", "verify")[3]
    code, _, messages, more = end("run", "run", "--quiet")
    faults += more
    fault = set_fault(site.reports)
    faults.append(fault and f"after exit code {code} the published set is not whole: {fault}")
    if code == 0:
        found = {} if fault else figures(site)
        faults.append(not fault and found != night.third and "run ended with 0 and published other figures: "
                      + ", ".join(f"{audience}: {differing(night.third[audience][0], found[audience][0]) or 'kpi-cells.csv'}"
                                  for audience in AUDIENCES if found and found[audience] != night.third[audience]))
        faults += report(night.after, "after the run")
    else:
        # The sets of the audiences are switched one after the other.
        faults += [found not in (night.second[audience], night.third[audience]) and f"run ended with {code}, and what is "
                   f"published for {audience} is of no undamaged store"
                   for audience, found in ({} if fault else figures(site)).items()]
        faults.append(code == 74 and not REMEDY.search(messages) and f"no remedy in: {messages[-300:]}")
    checks.hold(name, *faults)
    return code


def main():
    checks, chance = Checks(), random.Random(SEED)
    kinds = [name for name in KINDS if ONLY in name]
    codes = {command: collections.Counter() for command in CODES}
    by_kind = {name: collections.Counter() for name in kinds}
    with tempfile.TemporaryDirectory(prefix="tripkpi-damaged-") as folder:
        folder = pathlib.Path(folder)
        start, earlier = three_nights(folder / "start", ROWS)
        night = Night(start, folder / "undamaged")
        checks.hold("the third night", night.third["staff"] == night.second["staff"] and "publishes what the second did",
                    night.third["staff"][0]["totalTrips"] < 1000 and "publishes few trips")
        store = Store(start.store, earlier)
        for number in range(DAMAGES):
            name, luck = kinds[number % len(kinds)], random.Random(chance.random())
            site = start.copied(folder / "site", THIRD_NIGHT)
            site.store.write_bytes(KINDS[name](store, luck))
            code = meets(checks, f"damage {number}, {name}", site, night, codes, verifies=number % 3 == 0)
            by_kind[name][code] += 1
    print(f"{DAMAGES} damaged stores of {store.pages} pages of {store.page_size} bytes, seed {SEED}")
    for command, counts in codes.items():
        print(f"  {command}, by exit code: " + ", ".join(f"{code}: {n}" for code, n in sorted(counts.items())))
    for name, counts in by_kind.items():
        print(f"    run, {name}: " + ", ".join(f"{code}: {n}" for code, n in sorted(counts.items())))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
