#!/usr/bin/env python3
"""Load on `tripkpi serve` beside nginx that serves the same bytes from disk: requests a second, latency and memory, in one run.

    api_load.py PUBLISHED [SECONDS [ROUNDS]]

PUBLISHED is a folder of published sets whose staff set has rows. Server and wrk share the machine's cores; each case is run
ROUNDS times (3) for SECONDS (8), in turn with nginx, and the medians are printed. Needs wrk and nginx (Debian: wrk, nginx-light).
TRIPKPI names the program (.build/release/tripkpi).
"""
import contextlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRIPKPI = os.environ.get("TRIPKPI", ROOT / ".build/release/tripkpi")
CONNECTIONS = 32

NGINX = """
worker_processes auto; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log {folder}/access.log; sendfile on; tcp_nopush on; gzip_static on; default_type application/json;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; root {folder}/site; }}
}}
"""


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1000, "m": 60_000}[unit]


def wrk(url, headers, seconds, connections=CONNECTIONS, delay=None):
    """Requests a second, p50 and p99 in milliseconds, and answers that are no 2xx or 3xx."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        if delay is not None:
            script.write(f"function delay() return {delay} end\n")
            script.flush()
        words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", *(["-s", script.name] if delay is not None else [])]
        for header in headers:
            words += ["-H", header]
        output = subprocess.run([*words, url], capture_output=True, text=True, check=True).stdout
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]), milliseconds(re.search(r"(?m)^\s+50%\s+(\S+)", output)[1]),
            milliseconds(re.search(r"(?m)^\s+99%\s+(\S+)", output)[1]), int(bad[1]) if bad else 0)


def memory(pid):
    text = Path(f"/proc/{pid}/status").read_text()
    return [int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024 for name in ("VmRSS", "VmHWM")]


def main():
    published = Path(sys.argv[1]).resolve()
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    environment = os.environ | {"TRIPKPI_API_REQUESTS_PER_SECOND": "0"}
    with tempfile.TemporaryDirectory() as made, contextlib.ExitStack() as ends:
        folder = Path(made)
        folder.chmod(0o755)
        site = folder / "site"
        site.mkdir()
        summary = (published / "staff/current/kpi-summary.json").read_bytes()
        (site / "kpi").write_bytes(summary)
        log = open(folder / "serve.log", "wb")
        server = subprocess.Popen([TRIPKPI, "serve", "--demo", "--reports", str(published), "--listen", "127.0.0.1:0", "--log-format", "json"],
                                  stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        token = server.stdout.readline().split("=", 1)[1].strip()
        base = re.search(r"(http://\S+?)/kpi", server.stdout.readline())[1]
        bearer = f"Authorization: Bearer {token}"

        def get(path, **headers):
            request = urllib.request.Request(base + path, headers={"Authorization": f"Bearer {token}", **headers})
            with urllib.request.urlopen(request) as answer:
                return answer.headers, answer.read()

        headers, plain = get("/kpi")
        _, packed = get("/kpi", **{"Accept-Encoding": "gzip"})
        assert plain == summary
        (site / "kpi.gz").write_bytes(packed)
        port = 18_999
        ends.callback(server.kill)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
        nginx = subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
        ends.callback(nginx.terminate)
        time.sleep(1)
        region = json.loads(plain)["filters"]["regions"][1]
        rows = json.loads(get("/trips?limit=100")[1])
        middle = json.loads(get(f"/trips?limit=1&region={region}")[1])[0]["id"]
        idle = memory(server.pid)
        peer = f"http://127.0.0.1:{port}"
        cases = [
            ("/kpi", base + "/kpi", [bearer]), ("nginx /kpi", peer + "/kpi", []),
            ("/kpi gzip", base + "/kpi", [bearer, "Accept-Encoding: gzip"]), ("nginx /kpi gzip", peer + "/kpi", ["Accept-Encoding: gzip"]),
            ("/kpi?region", f"{base}/kpi?region={region}", [bearer, "Accept-Encoding: gzip"]),
            ("/kpi 304", base + "/kpi", [bearer, f"If-None-Match: {headers['ETag']}"]),
            ("/kpi headlines", base + "/kpi?view=headlines", [bearer, "Accept-Encoding: gzip"]),
            ("/trips, first page", base + "/trips?limit=100", [bearer]),
            ("/trips, a region, from the middle", f"{base}/trips?limit=100&region={region}&cursor={middle}", [bearer]),
            ("/trip/{id}", f"{base}/trip/{rows[-1]['id']}", [bearer]),
        ]
        results = {name: [] for name, *_ in cases}
        for _ in range(rounds):
            for name, url, sent in cases:
                results[name].append(wrk(url, sent, seconds))
        print(f"{len(summary):,} bytes plain, {len(packed):,} gzip; {CONNECTIONS} connections, {rounds} rounds of {seconds} s")
        print(f"{'case':36} {'requests/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'p99 at half load':>17} {'bad':>4}")
        for name, url, sent in cases:
            rate, p50, p99 = (statistics.median(one[place] for one in results[name]) for place in range(3))
            half = ""
            if not name.startswith("nginx"):
                # So many connections that wait so long between requests send half of what the server can answer.
                delay = max(1, round(1000 * CONNECTIONS / (rate / 2) - p50 / 2))
                found = wrk(url, sent, seconds, delay=delay)
                half = f"{found[2]:.1f} at {found[0] / rate:.0%}"
            print(f"{name:36} {rate:10,.0f} {p50:8.2f} {p99:8.2f} {half:>17} {sum(one[3] for one in results[name]):4}")
        ratio = {kind: statistics.median(a[0] / b[0] for a, b in zip(results[kind], results["nginx " + kind])) for kind in ("/kpi", "/kpi gzip")}
        print("of nginx: " + ", ".join(f"{kind} {value:.2f}" for kind, value in ratio.items()))
        print("memory MiB (now, highest): idle {:.0f} {:.0f}; after {:.0f} {:.0f}".format(*idle, *memory(server.pid)))
        server.terminate()
        nginx.terminate()
        print(f"serve ended with {server.wait(timeout=60)}")
        nginx.wait()


if __name__ == "__main__":
    main()
