"""Which figures of a release leave out trips, and how outputs mark them: written again without the code that marks them."""

# What each figure of a cell is made of, as `incompleteMeasures` names it.
MEASURES = {
    "trips": [], "cancelled": ["cancelled"], "noShow": ["noShow"], "inHouse": ["sourcing"], "contracted": ["sourcing"],
    "unclassified": ["sourcing"], "inHousePercent": ["sourcing"], "inHouseShare": ["sourcing"], "totalCost": ["cost"], "costedTrips": ["cost"],
    "costPerTrip": ["cost"], "inHouseCost": ["costBySourcing"], "contractedCost": ["costBySourcing"],
    "loadedMiles": ["loadedMiles"], "unloadedMiles": ["unloadedMiles"], "costPerLoadedMile": ["cost", "loadedMiles"],
    "loadedMileRatio": ["loadedMiles", "unloadedMiles"],
}
LEGEND = "Marked +: incomplete."
TOGETHER = "contracted or unclassified trips counted together"
WORDS = {"": "", "+": " incomplete", "^": f" {TOGETHER}", "+^": f" incomplete, {TOGETHER}"}


def at(cell, path):
    """The value of a cell at a path such as `duration.mean`; None where the document is older than the measure."""
    for key in path.split("."):
        cell = (cell or {}).get(key)
    return cell


def mark(cell, path):
    """`+` where trips of the cell are left out, `^` where unclassified trips are counted as contracted."""
    if cell is None:
        return ""
    name = path.split(".")[0]
    left = cell.get("incompleteMeasures", [])
    own = cell.get("complete") is False and name not in ("cancelled", "noShow")
    is_incomplete = own or any(measure in left for measure in MEASURES.get(name, [name]))
    counts_others = name in ("contracted", "inHousePercent", "inHouseShare", "contractedCost") and cell.get("sourcingBasis") == "all"
    return ("+" if is_incomplete else "") + ("^" if counts_others else "")


def is_comparable(one, other, path):
    """Figures of different trips are not compared."""
    if one is None or other is None:
        return True
    marks = mark(one, path), mark(other, path)
    return "+" not in "".join(marks) and marks[0] == marks[1]
