"""Made-up exports for finance's workbook, with cases planted in them that a person would look at twice.

Nothing of the background is a case: a vehicle carries one trip at a time, an invoice is of one trip (its two legs may
share it), estimates differ from the miles driven but for some by chance. Costs are drawn, so a few may be outliers by
chance.
"""
import collections
import csv
import datetime
import math
import random

FIELDS = ["trip_id", "leg_id", "status", "trip_type", "region", "unit_notified_at", "left_scene_at", "arrived_at",
          "completed_at", "provider_id", "provider_name", "vehicle_id", "contract_number", "invoice_number",
          "hcpcs_modifiers", "loaded_miles", "unloaded_miles", "estimated_miles", "cost", "patient_id"]
PROVIDERS = {"P-1": "Harbor Transport", "P-2": "=1+1 Ambulance", "P-3": "@Hills, Ltd", "P-4": "Bay & \"Sons\"",
             "H-1": "Own fleet"}
MONTHS = [(2024 + (m // 12), m % 12 + 1) for m in range(4, 24)]  # 2024-05 to 2025-12


def times(day, slot, minutes=40):
    start = datetime.datetime(*day, 6, 0) + datetime.timedelta(minutes=90 * slot)
    step = lambda n: (start + datetime.timedelta(minutes=n)).strftime("%Y-%m-%d %H:%M:%S")
    return {"unit_notified_at": step(0), "left_scene_at": step(20), "arrived_at": step(20 + minutes),
            "completed_at": step(35 + minutes)}


def make(seed=5, trips_a_month=260):
    """Rows in the order of the file, and for each check the trip ids (with leg) that were planted."""
    draw = random.Random(seed)
    rows, number = [], 0
    planted = {check: set() for check in
               ("Zero-mile trip", "Cost outlier", "No contract number", "Invoice number twice",
                "Multi-stop run billed apart", "Estimated miles billed")}

    def add(year, month, slot_of, **more):
        nonlocal number
        number += 1
        provider = more.pop("provider", None) or draw.choice(list(PROVIDERS))
        own = provider.startswith("H")
        kind = more.pop("kind", None) or draw.choice(["Emergency", "Routine", "Routine"])
        vehicle = f"{provider}-V{draw.randrange(12):02d}"
        slot = slot_of.setdefault((provider, vehicle), 0)
        slot_of[provider, vehicle] += 1
        day = (year, month, 1 + (slot + 7 * int(vehicle[-2:])) % 27)
        miles = round(draw.uniform(2, 60), 1)
        base = 900 if kind == "Emergency" else 300
        cost = base * math.exp(draw.gauss(0, 0.12)) + 4 * miles
        row = {
            "trip_id": f"T{number:06d}", "leg_id": "1", "status": "completed", "trip_type": kind,
            "region": draw.choice(["North", "South", "East", "West"]), "provider_id": provider,
            "provider_name": PROVIDERS[provider], "vehicle_id": vehicle,
            "contract_number": "" if own else f"C-{provider}-{1 + (number % 2)}",
            "invoice_number": "" if own else f"INV{number:06d}", "hcpcs_modifiers": "QN" if own else "QM",
            "loaded_miles": f"{miles:.1f}", "unloaded_miles": f"{draw.uniform(0, 20):.1f}",
            "estimated_miles": f"{max(1, miles + draw.choice([-3, -1.5, -0.7, 0, 0.8, 2, 4])):.1f}",
            "cost": f"{cost:.2f}" if draw.random() > 0.04 else "", "patient_id": f"P{draw.randrange(700)}",
            **times(day, slot // 27 % 10), **more}
        if draw.random() < 0.03:
            row["status"] = "cancelled"
            row["cost"] = ""
        rows.append(row)
        return row

    for year, month in MONTHS:
        slots = {}
        for _ in range(trips_a_month + draw.randrange(40)):
            add(year, month, slots)
        # Two legs of one trip on one invoice: no case.
        out = add(year, month, slots, provider="P-1", status="completed")
        out["status"] = "completed"
        back = add(year, month, slots, provider="P-1")
        back.update(trip_id=out["trip_id"], leg_id="2", invoice_number=out["invoice_number"], status="completed")

    def key(row):
        return row["trip_id"], row["leg_id"]

    free = [r for r in rows if r["status"] == "completed" and r["leg_id"] == "1" and r["cost"]]
    legs = collections.Counter(row["trip_id"] for row in rows)
    free = [row for row in free if legs[row["trip_id"]] == 1]
    draw.shuffle(free)
    for row in [free.pop() for _ in range(12)]:
        row["loaded_miles"] = "0"
        planted["Zero-mile trip"].add(key(row))
    for index in range(10):
        row = free.pop()
        row["cost"] = f"{float(row['cost']) * (4 + index):.2f}"
        planted["Cost outlier"].add(key(row))
    contracted = [r for r in free if r["provider_id"].startswith("P")]
    taken = set()

    def take(wanted=lambda row: True):
        row = next(r for r in contracted if key(r) not in taken and wanted(r))
        taken.add(key(row))
        return row

    for _ in range(15):
        row = take()
        row["contract_number"] = ""
        planted["No contract number"].add(key(row))
    for copies in (2, 2, 2, 2, 3):
        first = take()
        group = [first] + [take(lambda r: r["provider_id"] == first["provider_id"]) for _ in range(copies - 1)]
        for row in group:
            row["invoice_number"] = first["invoice_number"]
            planted["Invoice number twice"].add(key(row))
    for group_number, riders in enumerate((2, 2, 3, 4)):
        first = take()
        day = tuple(int(part) for part in first["left_scene_at"][:10].split("-"))
        for rider in range(riders):
            row = first if rider == 0 else take(lambda r: r["provider_id"] == first["provider_id"])
            row.update(times((day[0], day[1], 28), group_number, minutes=40 + 10 * rider))
            row["vehicle_id"] = f"{first['provider_id']}-RUN{group_number}"
            planted["Multi-stop run billed apart"].add(key(row))
    for month in ("2025-02", "2025-07"):
        for row in rows:
            driven = row["status"] == "completed" and row["provider_id"] == "P-3" and row["loaded_miles"] != "0"
            if driven and row["unit_notified_at"].startswith(month):
                row["estimated_miles"] = f"{float(row['loaded_miles']):.2f}"
                planted["Estimated miles billed"].add(key(row))
    return rows, planted


def write(rows, path):
    """By the number of a record, from 1: its trip and leg."""
    places = {}
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        for number, row in enumerate(rows, 1):
            places[number] = row["trip_id"], row["leg_id"]
            writer.writerow(row)
    return places
