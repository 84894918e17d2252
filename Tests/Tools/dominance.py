"""An outsider against `cost_dominance_percent`: what he can tell of costs that are nearly one provider's.

Random populations with few providers in a region are loaded into a store with the rule on. The outsider has a report of
it, knows all in-house costs, and knows of every leaf that its other costs lie between nothing and twice what they are.
By linear programs he bounds each cost that the rule is about, and each sum that is left of a total when its shown parts
are taken off and that is nearly one provider's.
"""
import collections
import csv
import itertools
import json
import pathlib
import random
import tempfile

from linear_program import Infeasible, Program, Relations
from nightly_site import Site
from published_set import ALL, PublishedSet

PERCENTS = (50, 60, 80, 90, 99)
COSTS = ("totalCost", "inHouseCost", "contractedCost", "costPerTrip", "costPerLoadedMile")
OTHERS = ("contracted", "unclassified")
MODIFIERS = {"inHouse": "QN", "contracted": "QM", "unclassified": ""}
PROMISED = 0.1  # of a cost, between the least and the greatest that is possible
UNIT = 100_000  # cents


class Population:
    """Trips with their providers, as an export and as true costs by leaf, class and provider."""

    def __init__(self, seed):
        generator = random.Random(seed)
        self.percent = generator.choice(PERCENTS)
        self.regions = [f"Region{n}" for n in range(1, 1 + generator.randint(2, 6))]
        self.types = [f"Type{n}" for n in range(1, 1 + generator.randint(1, 4))]
        self.months = [f"2025-{n:02d}" for n in range(1, 1 + generator.randint(1, 3))]
        providers = [f"P{n}" for n in range(1, 1 + generator.randint(3, 12))]
        in_house = generator.choice((0, 0.3))
        unclassified, missing = generator.choice((0, 0, 0.1)), generator.choice((0, 0, 0.02))
        base = 10 ** generator.uniform(0.7, 2)
        self.rows = []
        self.cents = collections.defaultdict(collections.Counter)  # leaf, class → provider → cents
        self.with_miles = collections.defaultdict(collections.Counter)
        for month in self.months:
            for region in self.regions:
                own, share = generator.choice(providers), generator.choice((0.3, 0.8, 1.0))
                for kind in self.types:
                    some = generator.sample(providers, generator.randint(1, len(providers)))
                    for _ in range(int(base * generator.lognormvariate(0, 1))):
                        provider = own if generator.random() < share else generator.choice(some)
                        self.add(generator, (month, region, kind), provider, in_house, unclassified, missing)

    def add(self, generator, leaf, provider, in_house, unclassified, missing):
        chance = generator.random()
        name = "inHouse" if chance < in_house else (
            "unclassified" if chance < in_house + unclassified else "contracted")
        cents = int(generator.lognormvariate(6, 0.6) * 100)
        row = {"trip_id": f"{len(self.rows):07d}", "service_date": f"{leaf[0]}-{generator.randint(1, 28):02d}",
               "region": leaf[1], "trip_type": leaf[2], "hcpcs_modifiers": MODIFIERS[name], "provider_id": provider,
               "loaded_miles": "" if generator.random() < missing else f"{generator.uniform(1, 30):.1f}", "cost": ""}
        if generator.random() >= missing:
            row["cost"] = f"{cents / 100:.2f}"
            self.cents[leaf, name][provider] += cents
            if row["loaded_miles"] and name != "inHouse":
                self.with_miles[leaf][provider] += cents
        self.rows.append(row)

    def write(self, site, has_rule):
        with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as file:
            file.write(f"regions: [{', '.join(self.regions)}]\ntrip_types: [{', '.join(self.types)}]\n")
            file.write(f"cost_dominance_percent: {self.percent}\n" if has_rule else "")
        with open(site.folder / "trips.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(self.rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.rows)

    def of(self, leaves, names):
        return sum(sum(self.cents[leaf, name].values()) for leaf in leaves for name in names)

    def is_about(self, leaves, names=OTHERS):
        """Whether the rule is about the sum of these classes over the leaves."""
        costs = collections.Counter()
        for leaf in leaves:
            for name in names:
                costs.update(self.cents[leaf, name])
        return is_dominated(costs, self.percent)

    def is_about_miles(self, leaves):
        costs = collections.Counter()
        for leaf in leaves:
            costs.update(self.with_miles[leaf])
        return is_dominated(costs, self.percent)


def is_dominated(costs, percent):
    sizes = [cents for cents in costs.values() if cents]
    return len(sizes) in (1, 2) or max(sizes, default=0) * 100 >= sum(sizes) * percent > 0


def attack(population, published):
    """Sums that the rule is about and that are known too well; how many it is about."""
    relations = Relations()
    for leaf in published.leaves((ALL, ALL, ALL)):
        for name in OTHERS:
            relations.column((leaf, name), 0.0, 2 * population.of([leaf], [name]) / UNIT)

    def terms(leaves, names=OTHERS):
        return {relations.index[leaf, name]: 1.0 for leaf in leaves for name in names}

    def known(key):
        return any(name in published.cells[key] for name in COSTS)

    def split_known(key):
        return "contractedCost" in published.cells[key]

    for key, cell in published.cells.items():
        leaves = published.leaves(key)
        in_house = population.of(leaves, ["inHouse"])
        if "totalCost" in cell:
            value = (float(cell["totalCost"]) * 100 - in_house) / UNIT
            relations.row(terms(leaves), value - 1e-9, value + 1e-9)
        elif known(key):  # a mean, and he knows of how many
            value = population.of(leaves, OTHERS) / UNIT
            relations.row(terms(leaves), value, value)
        if "contractedCost" in cell:
            value = float(cell["contractedCost"]) * 100 / UNIT
            relations.row(terms(leaves, ["contracted"]), value - 1e-9, value + 1e-9)
    low, high, rows = relations.presolve()
    program = Program(low, high, rows)
    if len(program.free):
        program.first()
    found, count = [], 0
    for names, is_known in ((OTHERS, known), (("contracted",), split_known), (("unclassified",), split_known)):
        for key in published.cells:
            sums = [published.leaves(key)] if not is_known(key) else []
            sums += [[leaf for part in parts for leaf in published.leaves(part)]
                     for parts in remainders(published, key, is_known)]
            for leaves in sums:
                cost = population.of(leaves, names)
                if not cost or not population.is_about(leaves, names):
                    continue
                count += 1
                free = [(c, k) for c, k in terms(leaves, names).items() if high[c] - low[c] > 1e-12]
                ends = [program.extreme(free, sense)[0] for sense in (-1, 1)] if free else [0.0, 0.0]
                if None in ends or (ends[1] - ends[0]) * UNIT < PROMISED * cost * 0.999:
                    share = None if None in ends else (ends[1] - ends[0]) * UNIT / cost
                    found.append((key, names, len(leaves), cost / 100, share))
    return found, count


def remainders(published, key, known):
    """What is left of a cell when its parts that are shown are taken off: along one axis, then another, then all."""
    axes = [axis for axis in range(3) if key[axis] == ALL]
    names = (published.months, published.regions, published.types)
    seen = set()
    if not known(key):
        return
    for order in (order for size in range(1, len(axes) + 1) for order in itertools.permutations(axes, size)):
        parts = [key]
        for axis in order:
            parts = [part for whole in parts for name in names[axis]
                     if not known(part := (*whole[:axis], name, *whole[axis + 1:]))]
        if parts and frozenset(parts) not in seen:
            seen.add(frozenset(parts))
            yield parts


def direct(population, published):
    """What needs no attack: cells that the rule is about, and show costs; months' sums of which a part is hidden."""
    for key, cell in published.cells.items():
        leaves = published.leaves(key)
        wrong = set(COSTS if population.is_about(leaves) else ())
        if any(population.is_about(leaves, [name]) for name in OTHERS):
            wrong |= {"inHouseCost", "contractedCost"}
        if population.is_about_miles(leaves):
            wrong.add("costPerLoadedMile")
        if wrong & cell.keys():
            yield f"{'/'.join(key)} shows {', '.join(sorted(wrong & cell.keys()))}"
        if "costPerLoadedMile" in cell and "totalCost" not in cell:
            yield f"{'/'.join(key)} shows the cost of a mile and no cost"
    for entry in published.summary["comparisons"]:
        hidden = "totalCost" not in published.cells[entry["month"], ALL, ALL]
        if hidden and (entry["rolling12Cost"] is not None or entry["fiscalYearToDateCost"] is not None):
            yield f"{entry['month']}: a sum over months shows a cost that the month hides"


def primary_only(population, summary):
    """The same summary with nothing hidden but the costs of the cells that the rule is about."""
    published = PublishedSet(summary)
    document = json.loads(summary)
    for cell in document["cells"]:
        if population.is_about(published.leaves(published.key(cell))):
            cell.update(dict.fromkeys(COSTS))
    return json.dumps(document)


def check(checks, count, first_seed):
    broken = cells = shown = hidden = unpublished = 0
    for seed in range(first_seed, first_seed + count):
        population = Population(seed)
        name = f"one provider's costs, seed {seed}"
        with tempfile.TemporaryDirectory(prefix="tripkpi-dominance-") as folder:
            site = Site.made(pathlib.Path(folder) / "site")
            population.write(site, has_rule=True)
            try:
                site.succeed("load", "trips.csv", "--quiet")
                if site.tripkpi("report", "--quiet")[0] == 65:  # too few trips for anything
                    unpublished += 1
                    continue
                found = PublishedSet(site.succeed("report", "--format", "json", "--quiet")[0],
                                     site.succeed("report", "--format", "csv", "--quiet")[0])
                internal = site.succeed("report", "--format", "json", "--quiet", "--internal")[0]
            except AssertionError as error:
                checks.hold(name, str(error))
                continue
        open_set = PublishedSet(primary_only(population, internal))
        try:
            exposed, targets = attack(population, found)
            broken += bool(attack(population, open_set)[0])
        except (Infeasible, RuntimeError) as error:
            checks.hold(name, f"the attack failed: {error!r}")
            continue
        cells += targets
        for key in found.cells:
            if not population.is_about(found.leaves(key)):
                hidden += "totalCost" not in found.cells[key]
                shown += "totalCost" in found.cells[key]
        checks.hold(name, *direct(population, found),
                    f"{population.percent} %: {len(exposed)} of {targets} sums: {exposed[:3]}" if exposed else None)
    print(f"one provider's costs: {count} populations, {unpublished} too small to be published, {cells} sums that the rule is about; with these cells alone hidden "
          f"{broken} populations are broken; of other cells {shown} show their cost, {hidden} do not")
    checks.hold("one provider's costs, teeth", None if broken * 4 >= count else f"only {broken} of {count} were broken")
