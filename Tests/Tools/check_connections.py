#!/usr/bin/env python3
"""Connections of `tripkpi serve`: too many of one address, resets, broken requests, and other sites.

- one address that holds and asks on as many connections as the server has in all; a client beside it is answered;
- a connection ends after 429; behind a proxy no address is limited;
- broken requests, and those without one Host or with a body: one answer with 400, then the connection ends;
- clients that reset connections during requests, and clients that read nothing: SIGTERM and SIGINT end the server within 20 s;
- broken requests and clients that read nothing over TLS;
- preflights and headers of other sites (CORS), exact origins only, and settings that are refused.
Prints what fails, then `N passed, N failed`; exit 1 if anything does.
"""
import json
import resource
import signal
import socket
import ssl
import struct
import sys
import tempfile
import time
from pathlib import Path

from api_server import Issuer, Server, certificate, site_with_rows
from nightly_site import Checks

ABUSER, HONEST = "127.0.0.2", "127.0.0.1"
# As many as the server has in all, and how many of them one address may have.
ALL_CONNECTIONS, OF_ONE_ADDRESS = 2_048, 64
SHUTDOWN_SECONDS = 20
checks = Checks()


def same(found, wanted, message):
    checks.hold(message, None if found == wanted else f"found {str(found)[:300]}, wanted {str(wanted)[:300]}")


def connected(server, source=HONEST, timeout=10):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=timeout, source_address=(source, 0))
    return server.context.wrap_socket(connection, server_hostname="127.0.0.1") if server.context else connection


def read(connection, timeout=10):
    """All bytes that come, and whether the server closed."""
    connection.settimeout(timeout)
    answer = b""
    try:
        while piece := connection.recv(65_536):
            answer += piece
    except TimeoutError:
        return answer, False
    except (ConnectionError, ssl.SSLError):
        pass
    return answer, True


def is_refused(connection):
    """Whether the server closed it without an answer."""
    answer, is_closed = read(connection, timeout=0.01)
    return is_closed and answer == b""


def asked(server, source=HONEST, path="/health", headers=""):
    """The answer on a connection of its own; empty if there is none."""
    try:
        with connected(server, source) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{headers}Connection: close\r\n\r\n".encode())
            return read(connection)[0]
    except OSError:
        return b""


def status(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def head_of(answer):
    """The headers of the first answer, by name in lower case."""
    lines = answer.split(b"\r\n\r\n", 1)[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}


def check_addresses(site, issuer):
    """One address has its share of the connections, also if it asks on each."""
    server = Server(site, keys=issuer.jwks(), limit=5)
    try:
        held = []
        for _ in range(ALL_CONNECTIONS + 52):
            try:
                held.append(connected(server, ABUSER, timeout=2))
            except OSError:
                break
        time.sleep(1)
        same(status(asked(server)), 200, "a client beside 2,100 connections of one address")
        left = [connection for connection in held if not is_refused(connection)]
        same(len(left), OF_ONE_ADDRESS, "connections of one address")
        same(is_refused(connected(server, ABUSER)), True, "one more of that address is closed at once")
        for connection in left:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        same(status(asked(server)), 200, "a client beside an address that asks on all its connections")
        answers = [read(connection, timeout=0.2) for connection in left]
        limited = [is_closed for answer, is_closed in answers if status(answer) == 429]
        same((len(limited) > 10, all(limited)), (True, True), "a connection ends after 429")
        kept = [is_closed for answer, is_closed in answers if status(answer) == 200]
        same((len(kept) > 0, any(kept)), (True, False), "a connection stays after 200")
        closing = {head_of(answer).get("connection") for answer, _ in answers if status(answer) == 429}
        same(closing, {"close"}, "429 says that it closes")
        for connection in held:
            connection.close()
        time.sleep(1)
        again = [connected(server, ABUSER) for _ in range(OF_ONE_ADDRESS)]
        time.sleep(0.5)
        same(sum(map(is_refused, again)), 0, "connections that ended are free again")
        for connection in again:
            connection.close()
    finally:
        same(server.stop(), 0, "SIGTERM after it")
    proxy = Server(site, "--behind-proxy", keys=issuer.jwks())
    try:
        many = [connected(proxy, ABUSER) for _ in range(4 * OF_ONE_ADDRESS)]
        time.sleep(0.5)
        same(sum(map(is_refused, many)), 0, "behind a proxy: its connections are not limited")
        for connection in many:
            connection.close()
    finally:
        proxy.stop()


BROKEN = {
    "no Host": b"GET /health HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
    "a body": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab",
    "a body that is too short": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nab",
    "a body that is too long": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabcdef",
    "a body that does not come": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n",
    "a large body": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n" + b"a" * 3_000_000,
    "chunks": b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n",
    "a bad chunk": b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nab\r\n0\r\n\r\n",
    "a bad trailer": b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\x00: a\r\n\r\n",
    "no chunk": b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
    "two lengths": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a request inside a body": b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 37\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n" + b"G" * 5,
    "no Host, and a whole request": b"GET /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
}


def check_broken(server):
    """One answer, and the connection ends: a client, or a proxy, must not take a second answer for that of its next request."""
    for name, data in BROKEN.items():
        for end in ("open", "half-closed") if server.context is None else ("open",):
            with connected(server) as connection:
                connection.sendall(data)
                if end == "half-closed":
                    connection.shutdown(socket.SHUT_WR)
                started = time.monotonic()
                answer, is_closed = read(connection)
                same((answer.count(b"HTTP/1."), status(answer), is_closed), (1, 400, True), f"{name}, {end}")
                same(head_of(answer).get("connection"), "close", f"{name}, {end}: the answer says that it closes")
                same(time.monotonic() - started < 5, True, f"{name}, {end}: soon")
    if server.context:
        return
    with connected(server) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 3 + b"GET /health HTTP/1.1\r\n\r\n" + b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        answer, is_closed = read(connection)
        found = [int(part.split(b" ", 2)[1]) for part in answer.split(b"HTTP/1.1")[1:]]
        same((found, is_closed), ([200, 200, 200, 400], True), "a broken request behind whole ones")
    with connected(server) as connection:
        connection.sendall(b"POST /kpi HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab")
        answer, is_closed = read(connection)
        same((answer.count(b"HTTP/1."), status(answer), is_closed), (1, 405, True), "POST with a body")
    with connected(server) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" * 2)
        answer, is_closed = read(connection, timeout=1)
        same((answer.count(b"HTTP/1.1 200"), is_closed), (2, False), "an empty body is none")
    body = asked(server, path="/kpi", headers="Host: y\r\n").split(b"\r\n\r\n", 1)[1]
    same(json.loads(body or b"{}").get("type", "").rsplit("/", 1)[-1], "bad-request", "a problem names it")


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def ends(server, number, message):
    """A signal ends the server with 0, in time."""
    server.process.send_signal(number)
    started = time.monotonic()
    try:
        code = server.process.wait(timeout=60)
    except Exception:  # noqa: BLE001
        code = "nothing"
        server.process.kill()
        server.process.wait()
    took = time.monotonic() - started
    same((code, took <= SHUTDOWN_SECONDS + 1), (0, True), f"{message} ({took:.1f} s)")
    print(f"{message}: {took:.1f} s")


def check_resets(site, issuer):
    token = issuer.token()
    request = f"GET /kpi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server(site, keys=issuer.jwks())
        # Of several addresses: as many as one may have are too few.
        for turn in range(200):
            connection = connected(server, f"127.0.1.{turn % 4 + 1}")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            connection.sendall(request * (1, 8, 40)[turn % 3])
            time.sleep((0, 0.002, 0.01)[turn % 3])
            reset(connection)
        time.sleep(1)
        ends(server, number, f"{number.name} after connections that were reset")
    check_stuck(Server(site, keys=issuer.jwks()), request, "clients read nothing")


def check_stuck(server, request, message):
    stuck = []
    for turn in range(40):
        connection = connected(server, f"127.0.1.{turn % 4 + 1}")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.sendall(request * 100)
        stuck.append(connection)
    time.sleep(1)
    ends(server, signal.SIGTERM, f"SIGTERM while {message}")
    for connection in stuck:
        connection.close()


def check_tls(site, issuer):
    chain, key = certificate(site.folder, "first")
    server = Server(site, "--certificate", str(chain), "--certificate-key", str(key), keys=issuer.jwks())
    server.scheme, server.context = "https", ssl.create_default_context(cafile=chain)
    check_broken(server)
    held = [connected(server, ABUSER) for _ in range(OF_ONE_ADDRESS)]
    try:
        fault = connected(server, ABUSER) and "a handshake"
    except (ssl.SSLError, OSError):
        fault = None
    checks.hold("one more connection over TLS is closed at once", fault)
    for connection in held:
        connection.close()
    request = f"GET /kpi HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {issuer.token()}\r\n\r\n".encode()
    check_stuck(server, request, "clients read nothing over TLS")


def check_origins(site, issuer):
    """Other sites that are listed, and no others, may read answers in a browser."""
    listed, other = "https://app.example.org", "https://app.example.org.example.com"
    token = issuer.token()
    off = Server(site, keys=issuer.jwks())
    try:
        answer = off.get("/kpi", token, Origin=listed)
        same([name for name in answer[1] if name.lower().startswith("access-control")], [], "no other sites by default")
        same(off.get("/kpi", method="OPTIONS", Origin=listed, Access_Control_Request_Method="GET")[0], 405, "no preflight by default")
    finally:
        off.stop()
    with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
        settings.write(f"api_cors_origins: ['{listed}', 'https://localhost:8443']\n")
    server = Server(site, keys=issuer.jwks())
    try:
        for origin in (listed, "https://localhost:8443"):
            for path, wanted in (("/kpi", 200), ("/kpi?region=Nope", 400), ("/nothing", 404), ("/health", 200)):
                code, headers, _ = server.get(path, token, Origin=origin)
                same((code, headers["Access-Control-Allow-Origin"]), (wanted, origin), f"{origin}, {path}")
                same("Origin" in headers.get("Vary", ""), True, f"{origin}, {path}: Vary")
                same("Access-Control-Allow-Credentials" in headers, False, f"{origin}, {path}: no credentials")
            same("ETag" in headers.get("Access-Control-Expose-Headers", ""), True, "scripts see ETag and Link")
            code, headers, _ = server.get("/kpi", Origin=origin)
            same((code, headers["Access-Control-Allow-Origin"]), (401, origin), f"{origin}: 401 can be read")
            tag = server.get("/kpi", token, Origin=origin)[1]["ETag"]
            code, headers, _ = server.get("/kpi", token, Origin=origin, If_None_Match=tag)
            same((code, headers["Access-Control-Allow-Origin"]), (304, origin), f"{origin}: 304")
            code, headers, body = server.get("/kpi", method="OPTIONS", Origin=origin, Access_Control_Request_Method="GET",
                                             Access_Control_Request_Headers="authorization,if-none-match")
            same((code, body, headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Methods"]),
                 (204, b"", origin, "GET, HEAD"), f"{origin}: preflight")
            allowed = {word.strip().lower() for word in headers.get("Access-Control-Allow-Headers", "").split(",")}
            same({"authorization", "if-none-match"} <= allowed, True, f"{origin}: preflight allows the token")
            same("Origin" in headers.get("Vary", ""), True, f"{origin}: preflight: Vary")
        for origin in (other, "http://app.example.org", "https://app.example.org:444", "HTTPS://APP.EXAMPLE.ORG", "null", "*", f"{listed}/"):
            code, headers, _ = server.get("/kpi", token, Origin=origin)
            same((code, headers.get("Access-Control-Allow-Origin"), "Origin" in headers.get("Vary", "")), (200, None, True), f"origin {origin}")
            same(server.get("/kpi", method="OPTIONS", Origin=origin, Access_Control_Request_Method="GET")[0], 405, f"preflight of {origin}")
        same("Origin" in server.get("/kpi", token)[1]["Vary"], True, "Vary without an origin")
        same(server.get("/nothing", method="OPTIONS", Origin=listed, Access_Control_Request_Method="GET")[0], 404, "preflight of nothing")
        same(server.get("/kpi", method="OPTIONS", Origin=listed)[0], 405, "OPTIONS that is no preflight")
    finally:
        server.stop()


def main():
    # Room for the connections, here and in the server.
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8_192), most))
    issuer = Issuer()
    with tempfile.TemporaryDirectory() as made:
        site = site_with_rows(Path(made) / "site")
        check_addresses(site, issuer)
        server = Server(site, keys=issuer.jwks())
        try:
            check_broken(server)
        finally:
            server.stop()
        check_resets(site, issuer)
        check_tls(site, issuer)
        check_origins(site, issuer)
    sys.exit(checks.end())


if __name__ == "__main__":
    main()
