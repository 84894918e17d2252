#!/usr/bin/env python3
"""Asks a running `tripkpi serve` as its clients do, and as attackers do.

    check_api.py [REQUESTS [EXAMPLES [SWITCHES]]]

- filtered summaries against `report --format json`: each month, region and type, in a third of their combinations; headlines, cells,
  ETag, gzip, HEAD;
- trips page by page against trips.ndjson.gz, single trips, filters;
- tokens: none, expired, of another issuer or audience, `alg: none`, HS256 with the public key, unknown `kid`, missing scopes;
- REQUESTS random paths and queries (2,000): a problem, no value repeated, nothing in the log that identifies;
- SWITCHES publishes and rollbacks under load (10): no failed request, no answer of two sets; a damaged set, a removed set;
- keys and certificates that change, also under load; TLS; the rate limit; slow clients; a full disk; kill -9; SIGTERM with open requests;
- openapi.json: valid, made of openapi.yaml, and kept by the server (schemathesis, EXAMPLES for each operation, 20; with fewer scopes a quarter of them);
- the client library follows no redirection with its token.
Prints what fails, then `N passed, N failed`; exit 1 if anything does.
"""
import base64
import collections
import gzip
import hashlib
import http.client
import http.server
import json
import random
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

import jwt

from api_server import AUDIENCE, ISSUER, Issuer, Server, certificate, site_with_rows
from nightly_site import TRIPKPI, Checks, give_ids

ROOT = Path(__file__).resolve().parents[2]
checks = Checks()


def check(condition, message):
    checks.hold(message, None if condition else "does not hold")


def same(found, wanted, message):
    checks.hold(message, None if found == wanted else f"found {str(found)[:300]}, wanted {str(wanted)[:300]}")


def problem(answer, status, name, message):
    """A problem of RFC 9457, by its status and type."""
    code, headers, body = answer
    found = json.loads(body) if "problem+json" in headers.get("Content-Type", "") else {}
    same((code, found.get("type", "").rsplit("/", 1)[-1], found.get("status")), (status, name, status), message)
    check(headers.get("Cache-Control") == "no-store", f"{message}: it is not stored")


def without_run(document):
    document = json.loads(json.dumps(document))
    for key in ("runId", "generatedAt", "dataThrough", "quality", "restatements"):
        document.pop(key, None)
    return document


def check_figures(site, server, issuer):
    """Every choice of month, region and type, for both audiences, is as the report has it."""
    for audience in ("release", "staff"):
        token = issuer.token(f"kpi.{audience}", kid="e1")
        current = (site.reports / audience / "current/kpi-summary.json").read_bytes()
        status, headers, body = server.get("/kpi", token)
        check(status == 200 and body == current, f"{audience}: /kpi is the published file")
        check(headers["Cache-Control"].startswith("private"), f"{audience}: /kpi is private")
        again = server.get("/kpi", token, If_None_Match=headers["ETag"])
        same((again[0], again[2]), (304, b""), f"{audience}: 304")
        packed = server.get("/kpi", token, Accept_Encoding="gzip")
        check(packed[1]["Content-Encoding"] == "gzip" and gzip.decompress(packed[2]) == current, f"{audience}: gzip")
        check(packed[1]["ETag"] != headers["ETag"], f"{audience}: the two forms have two tags")
        head = server.get("/kpi", token, method="HEAD")
        same((head[0], head[1]["Content-Length"], head[2]), (200, str(len(current)), b""), f"{audience}: HEAD")
        whole = json.loads(body)
        filters = whole["filters"]
        choices = [(m, r, t) for m in filters["months"][::3] for r in filters["regions"] for t in filters["tripTypes"]]
        # Of a line of types every third, each time another: with a step through all of them some type would be left out.
        choices = [one for number, one in enumerate(choices) if (number + number // len(filters["tripTypes"])) % 3 == 0]
        same([{one[place] for one in choices} for place in range(3)],
             [{*filters["months"][::3]}, {*filters["regions"]}, {*filters["tripTypes"]}], f"{audience}: each is chosen")
        for month, region, kind in choices:
            query = urllib.parse.urlencode({"month": month, "region": region, "type": kind})
            status, _, body = server.get(f"/kpi?{query}", token)
            words = [word for flag, value in (("--month", month), ("--region", region), ("--type", kind)) if value != "All"
                     for word in (flag, value)]
            code, report, _ = site.tripkpi("report", "--audience", audience, "--format", "json", *words)
            if code != 0:
                check(status == 404, f"{audience}, {query}: not shown")
                continue
            same(without_run(json.loads(body)), without_run(json.loads(report)), f"{audience}, {query}")
            small = json.loads(server.get(f"/kpi?{query}&view=headlines", token)[2])
            check(small["kpiCards"] == json.loads(body)["kpiCards"] and len(small["cells"]) <= len(whole["months"]) + 1,
                  f"{audience}, {query}: headlines")
        cells = json.loads(server.get("/kpi/cells?month=All&region=North", token)[2])
        same(cells, [cell for cell in whole["cells"] if cell["region"] == "North"], f"{audience}: cells of a region")
        part = server.get("/kpi/cells?month=All&region=North", token, Accept="text/csv")[2].splitlines()
        lines = (site.reports / audience / "current/kpi-cells.csv").read_bytes().splitlines()
        at = {(cell["month"], cell["region"], cell["tripType"]): line for cell, line in zip(whole["cells"], lines[1:])}
        merged = [group for group in whole.get("groups") or [] if len(group["regions"]) > 1]
        check(len(lines) == 1 + len(whole["cells"]) + len(merged), f"{audience}: a line a cell and a merged group")
        of_groups = [line for group, line in zip(merged, lines[1 + len(whole["cells"]):]) if "North" in group["regions"]]
        same(part, [lines[0], *(at[cell["month"], cell["region"], cell["tripType"]] for cell in cells), *of_groups],
             f"{audience}: CSV of a region")
        for accept, wanted in (("text/csv;q=0, application/json", "json"), ("text/csv;q=0.9, application/json;q=0.1", "csv"), ("*/*", "json")):
            check(wanted in server.get("/kpi/cells", token, Accept=accept)[1]["Content-Type"], f"{audience}: Accept: {accept}")
        check("Content-Encoding" not in server.get("/kpi", token, Accept_Encoding="gzip;q=0.0")[1], f"{audience}: gzip;q=0.0")
        csv = server.get("/kpi/cells", token, Accept="text/csv")
        check(csv[2] == (site.reports / audience / "current/kpi-cells.csv").read_bytes(), f"{audience}: cells as CSV")
        problem(server.get("/kpi/cells", token, Accept="image/png"), 406, "not-acceptable", f"{audience}: cells as a picture")
        page = server.get("/", token)
        check(page[2] == (site.reports / audience / "current/dashboard.html").read_bytes(), f"{audience}: the page")
        policy = page[1]["Content-Security-Policy"]
        own = re.search(r'Content-Security-Policy" content="([^"]+)"', page[2].decode())[1]
        same(policy, f"{own}; frame-ancestors 'none'", f"{audience}: the policy is that of the page")
        check("frame-ancestors 'none'" in policy and "default-src 'none'" in policy and "sha256-" in policy, f"{audience}: policy {policy[:80]}")
        check(server.get("/dashboard.html", token)[2] == page[2], f"{audience}: the page by its file name")
        for query, name in (("region=Nope", "not-a-filter"), ("month=1999-01", "not-a-filter"), ("x=1", "bad-parameter"),
                            ("region=North&region=North", "bad-parameter"), ("region=%FF", "bad-parameter"),
                            ("view=all", "bad-parameter")):
            problem(server.get(f"/kpi?{query}", token), 400, name, f"{audience}: {query}")
    problem(server.get("/kpi?audience=staff", issuer.token("kpi.release")), 403, "missing-scope", "staff figures for others")
    both = json.loads(server.get("/kpi?audience=release", issuer.token())[2])
    same(both["audience"], "release", "audience=release")
    same(json.loads(server.get("/kpi", issuer.token())[2])["audience"], "staff", "the staff set comes first")


def check_messages(site, server, issuer):
    """Problems say which parameter, and what can be given, as far as the caller may read it."""
    def detail(path, scope):
        return json.loads(server.get(path, issuer.token(scope))[2]).get("detail")

    for audience in ("release", "staff"):
        filters = site.summary(audience)["filters"]
        months, regions, kinds = ([value for value in filters[name] if value != "All"] for name in ("months", "regions", "tripTypes"))
        for query, wanted in (
                ("month=1999-01", f"month must be All or one of {months[0]} … {months[-1]}."),
                ("region=Nope", f"region must be All or one of {', '.join(regions)}."),
                ("type=Nope", f"type must be All or one of {', '.join(kinds)}."),
                ("view=all", "view must be whole or headlines."), ("audience=all", "audience must be staff or release."),
                ("x=1", "The parameters of this address are: month, region, type, view, audience."),
                ("region=North&region=North", "region is given twice."),
                ("region=%FF", "region must be written region=value, in percent-encoded UTF-8.")):
            same(detail(f"/kpi?{query}", f"kpi.{audience}"), wanted, f"{audience}: detail of {query}")
    same(detail("/trips?limit=0", "trips.read"), "limit must be a whole number from 1 to 1000.", "detail of a limit")
    for name in ("month", "region", "type"):
        same(detail(f"/trips?{name}=Nope", "trips.read"), f"{name} must be All or a value that the trips have.", f"{name}: trips name no figures")
    same(detail("/v1/whoami?x=1", "trips.read"), "This address has no parameters.", "detail without parameters")


def check_trips(site, server, issuer):
    rows = gzip.decompress((site.reports / "staff/current/trips.ndjson.gz").read_bytes()).splitlines()[1:]
    rows = [json.loads(row) for row in rows]
    token = issuer.token("trips.read")
    for query, limit in (({}, 1000), ({"month": "2026-01"}, 300), ({"type": "Emergency"}, 999), ({"region": "North", "type": "Routine"}, 77)):
        wanted = [row for row in rows if row["date"].startswith(query.get("month", "")) and query.get("type", row["tripType"]) == row["tripType"]
                  and query.get("region", row["region"]) == row["region"]]
        found, path, pages = [], "/trips?" + urllib.parse.urlencode(query | {"limit": limit}), 0
        while path:
            status, headers, body = server.get(path, token)
            check(status == 200, f"trips {query}: {status}")
            found += json.loads(body)
            link = headers.get("Link")
            path = link[1:link.index(">")] if link else None
            pages += 1
        same(pages, max(1, -(-len(wanted) // limit)), f"trips {query}: pages")
        same(sorted(trip["id"] for trip in found), sorted(row["id"] for row in wanted), f"trips {query}: each once")
        dates = [trip["date"] for trip in found]
        check(dates == sorted(dates, reverse=True), f"trips {query}: newest first")
    keys = {"id", "title", "duration", "phiField", "date", "provider", "distance", "accessibilityLabel"}
    check(all(set(trip) == keys for trip in found), "a list has no cost")
    for row in rows[:20]:
        status, headers, body = server.get(f"/trip/{row['id']}", token)
        detail = json.loads(body)
        check(status == 200 and all(row[key] == value for key, value in detail.items()), "a trip is its row")
        same((headers["Cache-Control"], detail["patientId"]), ("no-store", "••••••••"), "a trip is not stored")
    for path, code, name in ((f"/trip/{'0' * 32}", 404, "not-found"), ("/trip/x", 404, "not-found"), ("/trips?cursor=x", 400, "bad-cursor"),
                             (f"/trips?cursor={'f' * 32}", 400, "bad-cursor"), ("/trips?limit=0", 400, "bad-parameter"),
                             ("/trips?limit=1001", 400, "bad-parameter"), ("/trips?limit=1e2", 400, "bad-parameter")):
        problem(server.get(path, token), code, name, path)
    check(server.get("/trips.html", token)[2] == (site.reports / "staff/current/trips.html").read_bytes(), "the page of trips")
    for path in ("/trips", f"/trip/{rows[0]['id']}", "/trips.html"):
        problem(server.get(path, issuer.token("kpi.staff kpi.release")), 403, "missing-scope", f"{path} without trips.read")


def unsigned(claims, header):
    part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()  # noqa: E731
    return f"{part(header)}.{part(claims)}."


def check_tokens(server, issuer):
    past, other = int(time.time()) - 3600, Issuer()
    # What it is, the reason in the log, the token.
    bad = [
        ("alg none", "algorithm", unsigned(issuer.claims(), {"alg": "none", "typ": "JWT", "kid": "r1"})),
        ("HS256 with the public key", "algorithm", hs256(issuer)),
        ("unknown kid", "unknown-key", issuer.token(kid="r1", headers={"kid": "r2"})),
        ("no kid", "malformed", jwt.encode(issuer.claims(), issuer.rsa, algorithm="RS256")),
        ("another issuer's key", "signature-or-claims", other.token()),
        ("another issuer", "issuer", issuer.token(iss="https://login.example.com")),
        ("another audience", "audience", issuer.token(aud="another")),
        ("no audience", "signature-or-claims", issuer.token(aud=None)),
        ("no end", "signature-or-claims", issuer.token(exp=None)),
        ("not yet", "not-yet-valid", issuer.token(nbf=int(time.time()) + 3600)),
        ("RS512", "algorithm", issuer.token(algorithm="RS512", key=issuer.rsa)),
        ("the EC key's name on an RSA token", "signature-or-claims", issuer.token(headers={"kid": "e1"})),
        ("an audience of nobody", "audience", issuer.token(aud=[])),
        ("an audience that is a number", "signature-or-claims", issuer.token(aud=1)),
        ("another type", "type", issuer.token(headers={"typ": "logout+jwt"})),
        ("crit", "type", issuer.token(headers={"crit": ["x"], "x": 1})),
        ("a changed payload", "signature-or-claims", changed(issuer.token("kpi.release"))),
        ("no token", "malformed", "x"), ("three dots", "malformed", "a.b.c"), ("long", "too-long", "a" * 9_000),
    ]
    for name, reason, token in bad:
        before = len(server.lines())
        problem(server.get("/kpi", token), 401, "bad-token", f"token: {name}")
        same([line.get("reason") for line in server.lines()[before:] if line["event"] == "request"], [reason], f"token: {name}: the log names the reason")
    problem(server.get("/kpi", issuer.token(exp=past)), 401, "expired-token", "token: expired")
    problem(server.get("/kpi", issuer.token(exp=-1e300)), 401, "expired-token", "token: ended before all time")
    problem(server.get("/kpi", issuer.token(nbf=1e300)), 401, "bad-token", "token: begins after all time")
    short = issuer.token(exp=int(time.time()) - 57)
    same(server.get("/kpi", short)[0], 200, "token: within the minute of grace")
    time.sleep(4)
    problem(server.get("/kpi", short), 401, "expired-token", "token: accepted before, and expired since")
    problem(server.get("/kpi"), 401, "missing-token", "token: none")
    problem(server.get("/kpi", Authorization="Basic YTpi"), 401, "missing-token", "token: Basic")
    for path in ("/", "/kpi", "/kpi/cells", "/trips", f"/trip/{'a' * 32}", "/trips.html", "/v1/whoami"):
        problem(server.get(path), 401, "missing-token", f"{path} without a token")
        check("Bearer" in server.get(path)[1].get("WWW-Authenticate", ""), f"{path}: WWW-Authenticate")
    for scope in ("", "openid", "kpi", "KPI.STAFF"):
        problem(server.get("/kpi", issuer.token(scope)), 403, "missing-scope", f"scope {scope!r}")
    check(server.get("/kpi", issuer.token(aud=["other", AUDIENCE]))[0] == 200, "one of several audiences")
    for name, claims in (("a list of scopes", {"scope": ["kpi.staff", "x"]}), ("scp", {"scope": None, "scp": "kpi.staff"}),
                         ("a list in scp", {"scope": None, "scp": ["kpi.staff"]})):
        token = jwt.encode(issuer.claims() | claims, issuer.ec, algorithm="ES256", headers={"kid": "e1", "typ": "at+jwt"})
        same(json.loads(server.get("/v1/whoami", token)[2]).get("scopes"), ["kpi.staff"], f"token: {name}")
    told = json.loads(server.get("/v1/whoami", issuer.token("kpi.staff other"))[2])
    same(told["scopes"], ["kpi.staff"], "whoami")
    check(set(told) == {"scopes", "expiresAt"}, "whoami names nobody")
    health = json.loads(server.get("/health")[2])
    same([one["audience"] for one in health["sets"]], ["release", "staff"], "health needs no token")
    same([one["dataThrough"] is None for one in health["sets"]], [False, True], "health: the newest trip is for staff")


def hs256(issuer):
    import hmac
    unsigned_token = unsigned(issuer.claims(), {"alg": "HS256", "typ": "JWT", "kid": "r1"}).rstrip(".")
    mark = hmac.new(issuer.public_pem(), unsigned_token.encode(), hashlib.sha256).digest()
    return unsigned_token + "." + base64.urlsafe_b64encode(mark).rstrip(b"=").decode()


def changed(token):
    head, claims, mark = token.split(".")
    data = json.loads(base64.urlsafe_b64decode(claims + "=="))
    data["scope"] = "kpi.staff trips.read"
    return f"{head}.{base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b'=').decode()}.{mark}"


def raw(server, data):
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
    return answer


def check_random(server, issuer, count):
    """Whatever is asked: a status, no server error, no value repeated, and none in the log."""
    randomness, token = random.Random(11), issuer.token()
    parts = ["..", "%2e%2e", "%2f", "//", "kpi", "trip", "trips", "staff", "current", "manifest.json", "etc", "passwd", "%00", "CANARYPATH",
             "kpi-summary.json", "a" * 40, "'", "<script>", "{id}", "%ff", "~", ";", "\\\\"]
    kept = 0
    for _ in range(count):
        path = "/" + "/".join(randomness.choices(parts, k=randomness.randint(1, 5)))
        if randomness.random() < 0.6:
            path += "?" + "&".join(f"{randomness.choice(['month', 'region', 'type', 'CANARYNAME', 'limit', 'cursor'])}="
                                   f"{randomness.choice(['All', 'CANARYVALUE', '2026-01', '%27', '1', '-1', 'x' * 50])}" for _ in range(randomness.randint(1, 4)))
        answer = raw(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n".encode())
        status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0
        kept += status in (200, 400, 404) and b"CANARY" not in answer and b"root:" not in answer
    same(kept, count, "random requests")
    for name, data in {
        "a long header": b"GET /kpi HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 30_000 + b"\r\n\r\n",
        "many headers": b"GET /kpi HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 2_000 + b"\r\n",
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
        "two lengths": b"GET /kpi HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    }.items():
        answer = raw(server, data)
        check(answer == b"" or answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 431")), f"{name}: {answer[:60]}")
    long = server.get("/kpi?region=" + "a" * 4_000, token)
    problem(long, 414, "long-address", "a long address")
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        answer = server.get("/kpi", token, method=method)
        problem(answer, 405, "method-not-allowed", method)
        same(answer[1]["Allow"], "GET, HEAD", f"{method}: Allow")
    log = server.text()
    for secret in ("CANARY", "eyJ", "SUBJECTCANARY", "North", "cursor=", "127.0.0.1 -"):
        check(secret not in log, f"the log has {secret}")
    requests = [line for line in server.lines() if line["event"] == "request"]
    check(len(requests) > count, "each request is in the log")
    # The documented pseudonym: SHA-256 of issuer, newline and subject.
    wanted = hashlib.sha256(f"{ISSUER}\nSUBJECTCANARY".encode()).hexdigest()[:16]
    check(any(line.get("caller") == wanted and line.get("audience") == "staff" for line in requests), "the log names the caller by its pseudonym")


def check_switch(site, server, issuer, switches):
    """Publishes and rollbacks under load: every answer is whole, and of one published set."""
    token = issuer.token("kpi.staff trips.read")
    before = site.summary()["runId"]
    site.succeed("sample", "--messy", "--rows", "900", "--months", "6", "--from", "2025-10", "--seed", "9", "--output", "inbox/more.csv")
    give_ids(site.folder / "inbox/more.csv", 9)
    site.epoch += 86_400
    site.succeed("run")
    after = site.summary()["runId"]
    check(after != before, "there are two sets")
    runs = site.reports / "staff/runs"
    files = {run: (runs / run / "kpi-summary.json").read_bytes() for run in (before, after)}
    filtered, ended, failures, answers = {}, threading.Event(), collections.Counter(), collections.Counter()

    def ask():
        while not ended.is_set():
            for path in ("/kpi", "/kpi?region=North", "/trips?limit=2"):
                try:
                    status, headers, body = server.get(path, token)
                except Exception as error:  # noqa: BLE001 a part of an answer is a failure too
                    failures[f"{path}: {type(error).__name__}"] += 1
                    continue
                answers[path] += 1
                if status != 200:
                    failures[f"{path}: {status}"] += 1
                elif path == "/kpi" and body not in files.values():
                    failures["/kpi is of no set"] += 1
                elif "region" in path:
                    # Of one set each filtered answer is the same, to the byte.
                    run = json.loads(body)["runId"]
                    if run not in files or filtered.setdefault(run, body) != body:
                        failures["a filtered answer is of two sets"] += 1

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    for number in range(switches):
        site.succeed("publish", "--rollback")
        wanted = site.summary()["runId"]
        if number % 10 == 0:
            check(becomes(server, token, wanted), f"switch {number}: {wanted} is served")
    ended.set()
    for asker in askers:
        asker.join()
    checks.hold(f"{switches} switches under load", failures and str(dict(failures)))
    print(f"{switches} switches, {sum(answers.values())} requests, {sum(failures.values())} failed")
    if site.summary()["runId"] != after:
        site.succeed("publish", "--rollback")
    check(becomes(server, token, after, times=20), "the newest set is served again")


def becomes(server, token, wanted, times=1):
    """Whether a set is served before long, so many times in a row: on a slow machine the server may still be reading a set before it."""
    seen = 0
    for _ in range(60 + 2 * times):
        status, _, body = server.get("/kpi", token)
        seen = seen + 1 if status == 200 and json.loads(body)["runId"] == wanted else 0
        if seen == times:
            return True
        time.sleep(0.1)
    return False


def check_damaged(site, server, issuer):
    """A set with a damaged file is not served; a set that is removed is served no longer."""
    token, staff = issuer.token("kpi.staff trips.read"), site.reports / "staff"
    current = (staff / "current").readlink()
    held = json.loads(server.get("/kpi", token)[2])["runId"]

    def point(target):
        (staff / "next").unlink(missing_ok=True)
        (staff / "next").symlink_to(target)
        (staff / "next").rename(staff / "current")

    for number, name in enumerate(("kpi-cells.csv", "trips.sqlite", "kpi-summary.json", "manifest.json")):
        copied = staff / "runs" / f"damaged{number}"
        shutil.copytree(staff / current, copied)
        (copied / name).chmod(0o640)
        data = (copied / name).read_bytes()
        (copied / name).write_bytes(data[:100] + b"X" + data[101:] if name != "manifest.json" else b"{")
        point(f"runs/{copied.name}")
        time.sleep(1.5)
        same(json.loads(server.get("/kpi", token)[2])["runId"], held, f"damaged {name}: the set before is served")
        refused = [line for line in server.lines() if line["event"] == "set.refused" and line["set"] == copied.name]
        same(len(refused), 1, f"damaged {name}: said once")
        shutil.rmtree(copied)
    # The folder goes while its set is served: the rows are still there.
    moved = site.folder / "moved"
    point(current)
    (staff / current).rename(moved)
    answers = [server.get("/trips?limit=1", token)[0] for _ in range(8)]
    same(answers, [200] * 8, "rows of a set whose folder is gone")
    moved.rename(staff / current)
    (staff / "current").unlink()
    for _ in range(60):
        answer = server.get("/kpi", token)
        if answer[0] == 503:
            break
        time.sleep(0.1)
    problem(answer, 503, "nothing-published", "a set that is removed")
    same(server.get("/health")[0], 200, "health: the release is served still")
    point(current)
    check(becomes(server, token, held), "the set is served again")


def check_keys(site, server, issuer):
    """Keys that change; keys that cannot be used among them."""
    path, other, before = site.folder / "jwks.json", Issuer(), issuer.token()
    same(server.get("/v1/whoami", before)[0], 200, "a token before its key is withdrawn")
    path.write_text(json.dumps(other.jwks()))

    def accepted(token, wanted):
        for _ in range(40):
            if (server.get("/v1/whoami", token)[0] == 200) == wanted:
                return True
            time.sleep(0.1)
        return False

    check(accepted(other.token(), True), "a new key is accepted")
    check(accepted(before, False), "a token that was accepted before its key was withdrawn is not")
    path.write_text("{")
    time.sleep(2.2)
    check(accepted(other.token(), True), "a broken file changes nothing")
    same(len([line for line in server.lines() if line["event"] == "keys.refused"]), 1, "a broken file is said once")
    keys = issuer.jwks()["keys"]
    strange = [{"kty": "oct", "kid": "o", "k": "AAAA"}, {"kty": "OKP", "kid": "x", "crv": "X25519", "x": "AAAA"}, {"kty": "EC", "kid": "k", "crv": "secp256k1"},
               keys[0] | {"kid": "ps", "alg": "PS256"}, keys[0] | {"kid": "enc", "use": "enc"}, {"kid": 1}]
    path.write_text(json.dumps({"keys": [*strange, *keys]}))
    check(accepted(issuer.token(), True), "keys of other kinds do not keep one from being used")
    for name in ("ps", "enc", "o"):
        problem(server.get("/kpi", issuer.token(headers={"kid": name})), 401, "bad-token", f"key {name} is for something else")


def check_tls(site, issuer):
    """HTTPS by files, TLS 1.2 or newer; a renewed certificate is served, one that does not fit is not."""
    first, second = certificate(site.folder, "first"), certificate(site.folder, "second")
    live = site.folder / "chain.pem", site.folder / "key.pem"
    for source, target in zip(first, live):
        shutil.copy(source, target)
    server = Server(site, "--certificate", "chain.pem", "--certificate-key", "key.pem", keys=issuer.jwks())
    try:
        server.scheme, server.context = "https", ssl.create_default_context(cafile=first[0])
        same(server.get("/kpi", issuer.token())[0], 200, "https")
        old = ssl.create_default_context(cafile=first[0])
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        fault = "a connection"
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as plain, old.wrap_socket(plain, server_hostname="127.0.0.1"):
                pass
        except (ssl.SSLError, OSError):
            fault = None
        checks.hold("TLS 1.1 is refused", fault)
        shutil.copy(second[1], live[1])
        time.sleep(2.2)
        same(server.get("/kpi", issuer.token())[0], 200, "a key without its certificate: the pair before is served")
        shutil.copy(second[0], live[0])
        server.context = ssl.create_default_context(cafile=second[0])
        served = False
        for _ in range(40):
            try:
                served = server.get("/kpi", issuer.token())[0] == 200
                break
            except OSError:
                time.sleep(0.1)
        check(served, "the renewed certificate is served")
        with socket.create_connection(("127.0.0.1", server.port)) as stalled:
            stalled.sendall(b"\x16\x03\x01")
            same(server.get("/health")[0], 200, "a handshake that stalls holds nobody up")
    finally:
        same(server.stop(), 0, "https: SIGTERM ends it")
    for words, code in ((("--certificate", "chain.pem"), 78), (("--certificate", "chain.pem", "--certificate-key", "first-key.pem"), 78),
                        (("--certificate", "none.pem", "--certificate-key", "key.pem"), 66)):
        same(site.tripkpi("serve", "--keys", "jwks.json", "--issuer", "https://x", "--listen", "127.0.0.1:0", *words)[0], code, f"serve {' '.join(words)}")


def check_rotation(site, rotations):
    """Certificates and token keys are renewed under load, as an issuer does it: the new key beside the old, tokens of the new one, the old
    one withdrawn. No request fails, and connections see each certificate."""
    issuers, pairs = [Issuer(), Issuer()], [certificate(site.folder, f"turn{number}") for number in range(2)]
    live = site.folder / "chain.pem", site.folder / "key.pem"
    for source, target in zip(pairs[0], live):
        shutil.copy(source, target)

    def keys(*numbers):
        named = [key | {"kid": f"{key['kid']}-{number}"} for number in numbers for key in issuers[number].jwks()["keys"]]
        (site.folder / "next.json").write_text(json.dumps({"keys": named}))
        (site.folder / "next.json").rename(site.folder / "jwks.json")

    def token(number):
        return issuers[number].token(headers={"kid": f"r1-{number}"}, sub=f"turn {time.time()}")

    keys(0)
    server = Server(site, "--keys", "jwks.json", "--issuer", ISSUER, "--certificate", "chain.pem", "--certificate-key", "key.pem")
    context = ssl.create_default_context()
    for chain, _ in pairs:
        context.load_verify_locations(chain)
    sent, ends, counts, faults, seen = [token(0)], threading.Event(), collections.Counter(), [], set()

    def load():
        while not ends.is_set():
            try:
                connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20, context=context)
                connection.connect()
                seen.add(connection.sock.getpeercert()["subject"][0][0][1])
                for _ in range(10):
                    connection.request("GET", "/kpi?view=headlines", headers={"Authorization": f"Bearer {sent[0]}"})
                    answer = connection.getresponse()
                    answer.read()
                    counts[answer.status] += 1
                connection.close()
            except (OSError, http.client.HTTPException) as error:
                faults.append(type(error).__name__)

    threads = [threading.Thread(target=load) for _ in range(2)]
    try:
        for thread in threads:
            thread.start()
        for turn in range(1, rotations + 1):
            old, new = (turn - 1) % 2, turn % 2
            keys(old, new)
            # Each file is read within a second.
            for source, target in zip(pairs[new], live):
                shutil.copy(source, target)
            time.sleep(2)
            sent[0] = token(new)
            time.sleep(0.5)
            keys(new)
            time.sleep(2)
    finally:
        ends.set()
        for thread in threads:
            thread.join()
        server.scheme, server.context = "https", context
        withdrawn = server.get("/kpi", token(1 - rotations % 2))
        code = server.stop()
    problem(withdrawn, 401, "bad-token", "rotation: the withdrawn key")
    same((faults, [*counts], code), ([], [200], 0), f"rotation under load: {counts}")
    same(seen, {"turn0", "turn1"}, "rotation: certificates that connections were given")
    print(f"{rotations} renewals of certificate and keys, {counts[200]} requests, {len(faults)} failed")


def check_limits(site, issuer):
    """The rate limit is that of a subject; requests without a token do not use it up."""
    server = Server(site, keys=issuer.jwks(), limit=5)
    try:
        statuses = [server.get("/v1/whoami")[0] for _ in range(30)]
        check(429 in statuses and statuses[0] == 401, f"requests without a token: {sorted(set(statuses))}")
        # On a slow machine a request is free again by now, and takes it.
        answers = (server.get("/health") for _ in range(50))
        limited = next((answer for answer in answers if answer[0] == 429), (200, {}, b"{}"))
        problem(limited, 429, "too-many-requests", "health from that address")
        one, other = issuer.token("kpi.staff", sub="one"), issuer.token("kpi.staff", sub="other")
        same(server.get("/v1/whoami", one)[0], 200, "a subject is counted apart from its address")
        statuses = [server.get("/v1/whoami", one)[0] for _ in range(30)]
        answer = server.get("/v1/whoami", one)
        check(429 in statuses and answer[1].get("Retry-After") == "1", "a subject has a limit")
        same(server.get("/v1/whoami", other)[0], 200, "another subject has its own")
    finally:
        server.stop()
    proxy = Server(site, "--behind-proxy", keys=issuer.jwks(), limit=5)
    try:
        for _ in range(30):
            proxy.get("/health", X_Forwarded_For="9.9.9.9, 192.0.2.1")
        same(proxy.get("/health", X_Forwarded_For="192.0.2.1")[0], 429, "behind a proxy: a client has a limit")
        same(proxy.get("/health", X_Forwarded_For="192.0.2.1:4711")[0], 429, "behind a proxy: a port is no other client")
        same(proxy.get("/health", X_Forwarded_For="192.0.2.1, 192.0.2.2")[0], 200, "behind a proxy: the last address counts")
        for number in range(30):
            proxy.get("/health", X_Forwarded_For=f"2001:db8::{number}")
        same(proxy.get("/health", X_Forwarded_For="2001:db8::ffff")[0], 429, "IPv6 counts by network")
        same(proxy.get("/health", X_Forwarded_For="[2001:db8::1]:4711")[0], 429, "IPv6 with a port")
        for number in range(30):
            proxy.get("/health", X_Forwarded_For="::ffff:192.0.2.77")
        same(proxy.get("/health", X_Forwarded_For="::ffff:192.0.2.78")[0], 200, "IPv4 in IPv6 counts by its address")
    finally:
        proxy.stop()


def check_ends(site, issuer):
    """SIGTERM answers open requests; after kill -9 the port is free; a full disk for the log stops nothing."""
    server, token = Server(site, keys=issuer.jwks()), issuer.token()
    # A client that reads slowly: its answers wait in the server when it is told to end, and are whole all the same.
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        request = f"GET /kpi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        slow.sendall(request * 8)
        time.sleep(1)
        server.process.terminate()
        answer = b""
        slow.settimeout(20)
        while piece := slow.recv(65_536):
            answer += piece
            time.sleep(0.002)
    bodies = answer.split(b"HTTP/1.1 200 OK")[1:]
    whole = [len(body) for body in bodies]
    code = server.stop()
    check(code == 0 and len(bodies) >= 1 and max(whole) - min(whole) == 0, f"SIGTERM while a client reads: exit {code}, answers of {whole} bytes")
    print(f"SIGTERM while a client reads: {len(bodies)} whole answers of 8")
    server = Server(site, keys=issuer.jwks())
    port = server.port
    server.process.kill()
    server.process.wait()
    again = Server(site, keys=issuer.jwks(), port=port)
    same(again.get("/kpi", token)[0], 200, "after kill -9 the next one serves at the same port")
    again.stop()
    full = Server(site, keys=issuer.jwks(), log="/dev/full", port=port)
    same([full.get("/kpi", token)[0] for _ in range(5)], [200] * 5, "a full disk for the log")
    same(full.stop(), 0, "a full disk: SIGTERM ends it")


def check_open_server(site):
    server = Server(site, "--without-auth")
    try:
        same(json.loads(server.get("/kpi")[2])["audience"], "release", "without tokens: the release")
        problem(server.get("/kpi?audience=staff"), 403, "missing-scope", "without tokens: no staff figures")
        problem(server.get("/trips"), 403, "missing-scope", "without tokens: no trips")
        problem(server.get("/kpi", Host="rebound.example"), 421, "wrong-host", "without tokens: another name")
        same(server.get("/kpi", Host=f"localhost:{server.port}")[0], 200, "without tokens: localhost")
    finally:
        server.stop()
    (site.folder / "nothing").mkdir()
    empty = Server(site, "--without-auth", "--reports", "nothing")
    try:
        health, answer = empty.get("/health"), empty.get("/kpi")
        same(health[0], 503, "health: nothing is served")
        problem(answer, 503, "nothing-published", "nothing is published")
        check("`tripkpi run`" in json.loads(health[2]).get("hint", "") and "`tripkpi run`" in json.loads(answer[2]).get("detail", ""),
              "nothing is published: the command that publishes")
    finally:
        empty.stop()


def check_safe_harbor(folder, issuer):
    """Rows with years: a month or a region is no filter of theirs."""
    site = site_with_rows(folder, rows=3000, profile="safe-harbor", months=("12", "2024-01"))
    server = Server(site, keys=issuer.jwks())
    try:
        token = issuer.token()
        trips = json.loads(server.get("/trips?limit=5", token)[2])
        check(len(trips) == 5 and all(len(trip["date"]) == 4 for trip in trips), "safe-harbor: dates are years")
        problem(server.get("/trips?month=2024-03", token), 400, "not-a-filter", "safe-harbor: a month")
        problem(server.get("/trips?region=North", token), 400, "not-a-filter", "safe-harbor: a region")
        same(server.get("/trips?type=Routine&limit=5", token)[0], 200, "safe-harbor: a trip type")
    finally:
        server.stop()


def check_client():
    """The client library follows no redirection: its token stays with the server that it is for."""
    program, seen = Path(TRIPKPI).with_name("kpi-example"), []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get("Authorization"))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    class Redirecting(Other):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{other.server_port}/")
            self.end_headers()

    other, first = (http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) for kind in (Other, Redirecting))
    for one in (other, first):
        threading.Thread(target=one.serve_forever, daemon=True).start()
    result = subprocess.run([program, f"http://127.0.0.1:{first.server_port}"], input="SECRETTOKEN\n", capture_output=True, text=True, check=False, timeout=60)
    check(result.returncode == 1 and not seen and "SECRETTOKEN" not in result.stderr, f"the client and a redirection: {result.returncode}, {seen}")
    for one in (other, first):
        one.shutdown()


def check_slow(connections, opened):
    """Clients that never end their request are closed, though they send on."""
    while time.time() < opened + 18:
        for connection in connections:
            try:
                connection.sendall(b"a")
            except OSError:
                pass
        time.sleep(1)
    closed = 0
    for connection in connections:
        connection.settimeout(1)
        try:
            while connection.recv(1_000):
                pass
            closed += 1
        except ConnectionError:
            closed += 1
        except TimeoutError:
            pass
        connection.close()
    same(closed, len(connections), "slow clients are closed")


def check_demo(site):
    """serve --demo prints a token, and lines that work."""
    command = [TRIPKPI, "serve", "--demo", "--reports", str(site.reports), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, cwd=site.folder, env=site.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        lines = [demo.stdout.readline().rstrip("\n") for _ in range(4)]
        if shutil.which("curl") is None:
            checks.skip("the lines of serve --demo", "there is no curl (Debian: curl)")
            lines = lines[:1]
        for line in lines[1:]:
            result = subprocess.run(["sh", "-c", f"{lines[0]}\n{line}"], capture_output=True, text=True, check=False)
            check(result.returncode == 0 and result.stdout.startswith(("{", "[")), f"demo: {line}")
        demo.terminate()
        log = demo.communicate(timeout=30)[1]
        same((demo.returncode, "eyJ" in log), (0, False), "the demo ends cleanly, without a token in its log")


def check_contract(server, issuer, folder, examples):
    command = subprocess.run([sys.executable, ROOT / "scripts/openapi.py", "--check"], capture_output=True, text=True, check=False)
    same((command.returncode, command.stderr), (0, ""), "openapi.json is made of openapi.yaml")
    served = json.loads(server.get("/openapi.json")[2])
    same(served, json.loads((ROOT / "data/contract/openapi.json").read_text()), "/openapi.json")
    from openapi_spec_validator import validate
    try:
        validate(served)
        fault = None
    except Exception as error:  # noqa: BLE001
        fault = str(error)[:200]
    checks.hold("openapi-spec-validator", fault)
    # A query of many values may be longer than an address may be: 414 refuses it as well.
    Path(folder, "schemathesis.toml").write_text(
        '[checks.negative_data_rejection]\nexpected-statuses = ["400", "401", "403", "404", "405", "406", "414", "429"]\n')
    total = 0
    for scope in ("kpi.release kpi.staff trips.read", "kpi.release", "trips.read", ""):
        result = subprocess.run(
            [Path(sys.executable).with_name("schemathesis"), "run", f"http://127.0.0.1:{server.port}/openapi.json", "--header",
             f"Authorization: Bearer {issuer.token(scope, exp=int(time.time()) + 7200)}", "--max-examples", str(examples if scope.count(" ") == 2 else max(1, examples // 4)), "--seed", "3",
             "--no-color", "--suppress-health-check", "all", "--exclude-checks", "positive_data_acceptance,missing_required_header"],
            capture_output=True, text=True, check=False, timeout=3600, cwd=folder)
        checks.hold(f"schemathesis, scopes {scope!r}", None if result.returncode == 0 else result.stdout[-3000:])
        counted = re.search(r"(\d+) generated", result.stdout)
        total += int(counted[1]) if counted else 0
    check(total > 100, f"schemathesis generated {total} requests")
    print(f"schemathesis: {total} requests")


def main():
    count, examples, switches = [*map(int, sys.argv[1:]), *(2_000, 20, 10)[len(sys.argv) - 1:]]
    issuer = Issuer()
    with tempfile.TemporaryDirectory() as made:
        site = site_with_rows(Path(made) / "site")
        server = Server(site, keys=issuer.jwks())
        try:
            check(server.port is not None, f"the server listens: {server.text()[-300:]}")
            # Of 20 addresses: one may not have so many.
            slow, opened = [socket.create_connection(("127.0.0.1", server.port), source_address=(f"127.0.1.{number % 20 + 1}", 0))
                            for number in range(1_000)], time.time()
            for number, connection in enumerate(slow):
                connection.sendall(b"GET /kpi HTTP/1.1\r\nHost: x\r\n" if number % 2 else b"G")
            check_figures(site, server, issuer)
            check_messages(site, server, issuer)
            check_trips(site, server, issuer)
            check_tokens(server, issuer)
            check_slow(slow, opened)
            check_random(server, issuer, count)
            check_contract(server, issuer, made, examples)
            check_switch(site, server, issuer, switches)
            check_damaged(site, server, issuer)
            check_keys(site, server, issuer)
        finally:
            code = server.stop()
        same(code, 0, "SIGTERM ends it cleanly")
        check_tls(site, issuer)
        check_rotation(site, max(2, switches // 5))
        check_limits(site, issuer)
        check_ends(site, issuer)
        check_open_server(site)
        check_safe_harbor(Path(made) / "years", issuer)
        check_client()
        check_demo(site)
        for words, code in ((("--without-auth", "--listen", "0.0.0.0:0"), 78), (("--demo", "--listen", "0.0.0.0:0"), 78), ((), 78), (("--listen", "nowhere"), 78),
                            (("--keys", "jwks.json", "--issuer", "https://x", "--listen", "0.0.0.0:0"), 78),
                            (("--keys", "none.json", "--issuer", "https://x"), 66), (("--without-auth", "--demo"), 64), (("--demo", "--issuer", "https://x"), 64)):
            found = site.tripkpi("serve", *words)[0]
            same(found, code, f"serve {' '.join(words)}")
        doctor = site.tripkpi("doctor", "--quick")[1]
        check("api" not in doctor, "doctor: no API is set up")
        with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
            settings.write("api_keys: jwks.json\napi_issuer: https://login.example.org\napi_certificate: second.pem\napi_certificate_key: second-key.pem\n")
        doctor = site.tripkpi("doctor", "--quick")[1]
        check(re.search(r"ok +api .*https://127.0.0.1:8080", doctor) and re.search(r"ok +certificate .*in 8\d days", doctor), f"doctor: {doctor[-600:]}")
        (site.folder / "jwks.json").write_text("{}")
        code, doctor, _ = site.tripkpi("doctor", "--quick")
        check(code == 78 and re.search(r"fail +api ", doctor), f"doctor finds keys that cannot be used: {code}")
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
