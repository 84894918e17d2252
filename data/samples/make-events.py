"""Writes events.json, closures.csv and regions.geojson again: python3 data/samples/make-events.py

Invented hazard reports of 24 months at invented places in the South Atlantic. The square is divided by its diagonals into four
regions; a lake in the South belongs to none.
"""
import csv
import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent
WEST, SOUTH, SIZE = 10.0, -31.0, 1.0
CENTER, LAKE = (10.5, -30.5), [(10.45, -30.875), (10.55, -30.875), (10.55, -30.8125), (10.45, -30.8125)]
NAMES = [
    ("Flooded street", 9), ("Brush fire", 5), ("Road closed", 7), ("Power line down", 4), ("High wind", 4),
    ("Gas leak", 2), ("Car crash", 6), ("Landslide", 1), ("Something strange", 2),
]


def regions():
    corners = [(WEST, SOUTH), (WEST + SIZE, SOUTH), (WEST + SIZE, SOUTH + SIZE), (WEST, SOUTH + SIZE)]
    features = []
    for place, name in enumerate(["South", "East", "North", "West"]):
        ring = [corners[place], corners[(place + 1) % 4], CENTER, corners[place]]
        rings = [ring] + ([LAKE[::-1] + LAKE[-1:]] if name == "South" else [])
        features.append({
            "type": "Feature", "properties": {"region": name},
            "geometry": {"type": "Polygon", "coordinates": rings}})
    return {"type": "FeatureCollection", "features": features}


def reports(rng):
    for index in range(24):
        year, month = 2023 + (9 + index) // 12, (9 + index) % 12 + 1
        season = [1.2, 1.1, 1.0, 0.8, 1.0, 1.5, 1.4, 1.1, 0.9, 0.8, 1.0, 1.2][month - 1]
        for _ in range(round(rng.gauss(46, 5) * season)):
            name = rng.choices([n for n, _ in NAMES], [w for _, w in NAMES])[0]
            # In two months some reports lie outside of all regions.
            isOutside = index in (3, 17) and rng.random() < 0.1
            lon = WEST + rng.random() * SIZE + (2 if isOutside else 0)
            lat = SOUTH + rng.random() * SIZE
            yield {
                "name": name, "description": f"Invented report {rng.randrange(10 ** 6):06d}",
                "image": f"https://images.example/{rng.randrange(16 ** 8):08x}.jpg",
                "lat": round(lat, 6), "lon": round(lon, 6), "toEvacuate": rng.random() < 0.2,
                "createdAt": f"{year}-{month:02d}-{rng.randrange(1, 29):02d}T{rng.randrange(24):02d}:{rng.randrange(60):02d}:00Z",
            }


def main():
    rng = random.Random(470)
    ring_files = json.dumps(regions(), indent=1)
    (FOLDER / "regions.geojson").write_text(ring_files + "\n")
    lines = [json.dumps(report) for report in sorted(reports(rng), key=lambda report: report["createdAt"])]
    (FOLDER / "events.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    with open(FOLDER / "closures.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["date", "kind", "region", "evacuation", "remark"])
        for _ in range(60):
            day = f"2025-{rng.randrange(1, 10):02d}-{rng.randrange(1, 29):02d}"
            rows.writerow([
                day, rng.choice(["road closed", "flash flood", "ice storm", "fair"]),
                rng.choice(["North", "South", "East", "West"]), rng.choice(["yes", "no", "no"]), "invented"])


main()
