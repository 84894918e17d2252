"""Which figures of a release leave out trips, and how outputs mark them: written again without the code that marks them."""

# The entries of `incompleteMeasures` that each figure of a cell depends on.
MEASURES = {
    **{name: [name] for name in ("trips", "cancelled", "noShow", "inHouse", "contracted", "unclassified")},
    "inHousePercent": ["inHouse", "contracted"], "inHouseShare": ["inHouse", "contracted"], "totalCost": ["cost"],
    "costedTrips": ["cost"], "costPerTrip": ["cost"], "inHouseCost": ["inHouseCost"], "contractedCost": ["contractedCost"],
    "loadedMiles": ["loadedMiles"], "unloadedMiles": ["unloadedMiles"],
    "costPerLoadedMile": ["cost", "loadedMiles", "costPerLoadedMile"], "loadedMileRatio": ["loadedMiles", "unloadedMiles"],
}
LEGEND = "Marked +: at least."
WORDS = {"": "", "+": " at least"}


def at(cell, path):
    """The value of a cell at a path such as `duration.mean`; None where the document is older than the measure."""
    for key in path.split("."):
        cell = (cell or {}).get(key)
    return cell


def mark(cell, path):
    """`+` where trips of the cell are left out: the figure is "at least", or not shown."""
    name = path.split(".")[0]
    left = (cell or {}).get("incompleteMeasures", [])
    return "+" if any(measure in left for measure in MEASURES.get(name, [name])) else ""


def is_comparable(one, other, path):
    """Figures of different trips are not compared."""
    return not (mark(one, path) or mark(other, path))
