#!/usr/bin/env python3
"""Synthea's patients through both privacy profiles of `tripkpi trips`, held to a plain reference over every row.

Each of the patients of ../shared (never committed) gets one made-up trip, with every identifier that their columns have,
and further ones (e-mail, plate, URL, IP) in columns that are not mapped. The last line is `N passed, N failed`.
"""
import collections
import csv
import datetime
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

from nightly_site import Checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The rules of the synthetic exports.
os.environ.setdefault("TRIPKPI_RULES", "sample")
SHARED = pathlib.Path(os.environ.get("CHECK_SHARED", ROOT.parent / "shared"))
PATIENTS = SHARED / "data/synthea_patients.csv.gz"
TODAY = datetime.date(2026, 1, 1)
LAST_YEAR = 2024  # of 2025, 90 days have not gone by
# The two lists as the public sources print them, not as data/reference has them.
HHS_2000 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893"
CENSUS_2010 = "036 059 102 203 205 369 556 692 821 823 878 879 884 893"
RESTRICTED = set(HHS_2000.split()) | set(CENSUS_2010.split())
# So that restricted, short, foreign and long ZIP codes occur: the patients are all of one state.
ODD_ZIPS = ["03601", "06301", "20500", "36900", "89301", "2113", "K1A 0B1", "02108-1234", "021081234", "09021", ""]
COLUMNS = ["trip_id", "service_date", "unit_notified_at", "completed_at", "cost", "loaded_miles", "invoice_number",
           "provider_npi", "vehicle_id", "contract_number", "patient_id", "patient_name", "patient_dob", "patient_phone",
           "patient_address", "patient_city", "patient_state", "patient_zip", "origin", "notes", "E-mail", "Photo URL",
           "Client IP", "Voice print"]


def trips():
    """One trip a patient, as dictionaries by column."""
    with gzip.open(PATIENTS, "rt", encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file)):
            (key, born, _, ssn, licence, passport, prefix, first, last, suffix, maiden, *_, birthplace, address, city,
             state, zip_code) = row
            day = datetime.date(2019 + number % 7, number % 12 + 1, number % 28 + 1)
            start = datetime.datetime.combine(day, datetime.time(8))
            yield {
                "trip_id": key, "service_date": day.isoformat(), "unit_notified_at": start.isoformat(),
                "completed_at": (start + datetime.timedelta(seconds=1000 + number)).isoformat(),
                "cost": f"{100 + number}.{number % 100:02}", "loaded_miles": f"{number % 90}.{number % 10}",
                "invoice_number": passport, "provider_npi": licence, "vehicle_id": f"PLATE{number:06}",
                "contract_number": f"CONTRACT{number:06}", "patient_id": ssn,
                "patient_name": " ".join([prefix, first, last, suffix, maiden]), "patient_dob": born,
                "patient_phone": f"555-01{number % 100:02}", "patient_address": address, "patient_city": city,
                "patient_state": state, "patient_zip": ODD_ZIPS[number % 11] if number % 9 == 0 else zip_code,
                "origin": birthplace, "notes": f"said that {last} lives at {address}",
                "E-mail": f"{last}{number}@example.org".lower(), "Photo URL": f"https://example.org/photo/{ssn}.jpg",
                "Client IP": f"192.0.2.{number % 250}", "Voice print": f"VOICE{number:06}",
            }


def years(born, day):
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def five_digits(text):
    return text[:5] if re.fullmatch(r"[0-9]{5}(-?[0-9]{4})?", text) else None


def expected_safe_harbor(trip):
    """What a row shows of its patient, by the rule's own words; nothing for a year that is not over."""
    day, born = (datetime.date.fromisoformat(trip[name]) for name in ("service_date", "patient_dob"))
    if day.year > LAST_YEAR:
        return None
    age = None
    if years(born, day) >= 0:
        age = "90+" if max(years(born, day), years(born, TODAY)) > 89 else str(years(born, day))
    digits = five_digits(trip["patient_zip"])
    area = digits[:3] if digits and digits[:3] not in RESTRICTED | {"090"} else "000"
    return str(day.year), age, area, "MA", None, None


def expected_limited(trip):
    day, born = (datetime.date.fromisoformat(trip[name]) for name in ("service_date", "patient_dob"))
    is_born = years(born, day) >= 0
    return (day.isoformat(), str(years(born, day)) if is_born else None, five_digits(trip["patient_zip"]), "MA",
            trip["patient_city"], trip["patient_dob"] if is_born else None)


def shown(row):
    return row["date"], row["age"], row["zip"], row["state"], row["city"], row["birthDate"]


def found_identifiers(text, source, profile):
    """Names of columns of which a whole value stands in the output."""
    texts = set(re.findall(r'"([^"]*)"', text))
    kept = {"patient_state"} | ({"patient_city", "patient_dob", "patient_zip", "service_date"} if profile != "safe-harbor" else set())
    found = set()
    for trip in source:
        for column in set(COLUMNS) - kept - {"cost", "loaded_miles"}:
            value = trip[column]
            if value and (value in texts or (len(value) > 8 and value in text)):
                found.add(column)
        found |= {"name" for part in trip["patient_name"].split() if len(part) > 4 and part in text}
    return found


def check_rows(tripkpi, folder, source, profile, problems):
    """Runs the command and compares; notes what is wrong."""
    output = folder / f"{profile}.ndjson.gz"
    command = [tripkpi, "trips", str(folder / "trips.csv"), "--privacy", profile, "--output", str(output), "--quiet"]
    environment = dict(os.environ, SOURCE_DATE_EPOCH="1767225600", TRIPKPI_DATA=str(ROOT / "data"))
    result = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=folder)
    if result.returncode != 0:
        return problems.append(f"{profile}: tripkpi ended with {result.returncode}: {result.stderr[-300:]}")
    text = gzip.decompress(output.read_bytes()).decode()
    header, *rows = [json.loads(line) for line in text.splitlines()]
    schema = json.loads((ROOT / "data/contract/trip.v1.schema.json").read_text(encoding="utf-8"))
    for name, documents in [("header", [header]), ("row", rows)]:
        validator = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
        bad = sum(1 for document in documents if not validator.is_valid(document))
        if bad:
            problems.append(f"{profile}: {bad} of {len(documents)} are no {name} of trip.v1.schema.json")
    if profile != "safe-harbor" and "protected health information" not in header["header"]["statement"]:
        problems.append(f"{profile}: the header does not say that it is PHI")
    leaks = found_identifiers(text, source, profile)
    if leaks:
        problems.append(f"{profile}: values of {sorted(leaks)} are in the output")
    reference = expected_safe_harbor if profile == "safe-harbor" else expected_limited
    expected = collections.Counter(value for trip in source if (value := reference(trip)))
    got = collections.Counter(shown(row) for row in rows)
    extra = got - expected
    if extra:
        problems.append(f"{profile}: {sum(extra.values())} rows say what no trip says under the rule")
    if profile == "safe-harbor":
        by_year = collections.Counter(value[0] for value in expected.elements())
        want = {year: count - count % 11 for year, count in by_year.items() if count >= 11}
        if collections.Counter(row["date"] for row in rows) != want:
            problems.append(f"{profile}: a year has not the largest multiple of 11 of its trips")
        steps = [(row["duration"] % 300, row["distance"] % 5, (row["cost"] or 0) % 100) for row in rows]
        if any(any(step) for step in steps):
            problems.append(f"{profile}: a measure is not in steps")
    elif got != expected:
        problems.append(f"{profile}: {sum((expected - got).values())} trips are missing")
    if [row["id"] for row in rows] != sorted(row["id"] for row in rows) or len({row["id"] for row in rows}) < len(rows):
        problems.append(f"{profile}: rows are not in the order of their ids")
    values = collections.Counter(row["age"] == "90+" for row in rows)
    print(f"{profile}: {len(rows)} rows of {len(source)} trips, {values[True]} of them 90+, "
          f"{sum(row['zip'] == '000' for row in rows)} with ZIP area 000")


def check_published(tripkpi, folder, profile, problems):
    """The row file of the published sets: a limited data set is for staff alone."""
    site = folder / f"site-{profile}"
    (site / "inbox").mkdir(parents=True)
    shutil.copyfile(folder / "trips.csv", site / "inbox/trips.csv")
    (site / "tripkpi.yaml").write_text(
        f"trips_feed: {profile}\ninbox: inbox\nstore: store/trips.sqlite\nreports: published\n", encoding="utf-8")
    environment = dict(os.environ, SOURCE_DATE_EPOCH="1767225600", TRIPKPI_DATA=str(ROOT / "data"),
                       TRIPKPI_AUDIT_LOG=str(site / "audit.jsonl"))
    result = subprocess.run([tripkpi, "run", "--quiet"], check=False, capture_output=True, text=True, env=environment,
                            cwd=site)
    if result.returncode != 0:
        return problems.append(f"{profile}: tripkpi run ended with {result.returncode}: {result.stderr[-300:]}")
    found = {}
    for audience in ("release", "staff"):
        for path in (site / "published" / audience / "current").glob("trips.ndjson*"):
            header = json.loads(gzip.decompress(path.read_bytes()).decode().splitlines()[0])["header"]
            found[audience] = header["privacy"]
    if not found:
        problems.append(f"{profile}: no set has rows")
    if not found.get("release", "safe-harbor").startswith("safe-harbor"):
        problems.append(f"{profile}: the release has rows of {found['release']}")
    if profile == "limited-data-set" and "staff" not in found:
        problems.append(f"{profile}: the staff set has no rows")


def main():
    tripkpi = os.environ.get("TRIPKPI", str(ROOT / ".build/release/tripkpi"))
    if not PATIENTS.exists():
        Checks.skip("Synthea's patients", f"{PATIENTS} is not there")
        print("0 passed, 0 failed")
        return
    passed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = list(trips())
        with open(folder / "trips.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(source)
        profiles = ["safe-harbor", "limited-data-set"]
        for profile in profiles:
            problems = []
            check_rows(tripkpi, folder, source, profile, problems)
            check_published(tripkpi, folder, profile, problems)
            print("\n".join(problems), end="\n" if problems else "")
            passed += not problems
        print(f"{passed} passed, {len(profiles) - passed} failed")
    sys.exit(0 if passed == len(profiles) else 1)


if __name__ == "__main__":
    main()
