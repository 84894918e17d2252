"""A site with published sets, keys of an issuer, and `tripkpi serve` on a port of its own."""
import base64
import datetime
import ipaddress
import json
import subprocess
import time
import urllib.error
import urllib.request

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from nightly_site import TRIPKPI, Site

ISSUER, AUDIENCE = "https://login.example.org", "tripkpi"
ALL = "kpi.release kpi.staff trips.read"


def number(value, size=None):
    return base64.urlsafe_b64encode(value.to_bytes(size or (value.bit_length() + 7) // 8)).rstrip(b"=").decode()


class Issuer:
    """An RSA and an EC key, and tokens of them."""

    def __init__(self):
        self.rsa = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.ec = ec.generate_private_key(ec.SECP256R1())

    def jwks(self):
        public, point = self.rsa.public_key().public_numbers(), self.ec.public_key().public_numbers()
        return {"keys": [
            {"kty": "RSA", "kid": "r1", "use": "sig", "alg": "RS256", "n": number(public.n), "e": number(public.e)},
            {"kty": "EC", "kid": "e1", "use": "sig", "alg": "ES256", "crv": "P-256", "x": number(point.x, 32), "y": number(point.y, 32)},
        ]}

    def claims(self, scope=ALL, **changed):
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "SUBJECTCANARY", "exp": int(time.time()) + 600, "scope": scope}
        return {key: value for key, value in (claims | changed).items() if value is not None}

    def token(self, scope=ALL, kid="r1", algorithm=None, key=None, headers=None, **changed):
        algorithm = algorithm or ("RS256" if kid == "r1" else "ES256")
        key = key or (self.rsa if algorithm == "RS256" else self.ec)
        return jwt.encode(self.claims(scope, **changed), key, algorithm=algorithm, headers={"kid": kid} | (headers or {}))

    def public_pem(self):
        return self.rsa.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


class Server:
    """The running program; `get` asks it."""

    def __init__(self, site, *words, keys=None, limit=0, log=None, port=0):
        if keys is not None:
            (site.folder / "jwks.json").write_text(json.dumps(keys))
            words = (*words, "--keys", "jwks.json", "--issuer", ISSUER)
        self.log = open(log or site.folder / "serve.log", "wb" if log else "w+b")
        self.scheme, self.context = "http", None
        self.process = subprocess.Popen(
            [TRIPKPI, "serve", "--reports", str(site.reports), "--listen", f"127.0.0.1:{port}", "--log-format", "json", *words],
            cwd=site.folder, env=site.environment() | {"TRIPKPI_API_REQUESTS_PER_SECOND": str(limit)},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)
        self.port = None
        if log:
            # There is no line to wait for.
            time.sleep(3)
            self.port = port
            return
        for _ in range(200):
            time.sleep(0.05)
            for line in self.lines():
                if line.get("event") == "listens":
                    self.port = line["port"]
            if self.port or self.process.poll() is not None:
                break

    def lines(self):
        self.log.flush()
        text = open(self.log.name, encoding="utf-8").read()
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def text(self):
        return open(self.log.name, encoding="utf-8", errors="replace").read()

    def get(self, path, token=None, method="GET", **headers):
        """Status, headers, body."""
        request = urllib.request.Request(f"{self.scheme}://127.0.0.1:{self.port}{path}", method=method, headers={
            key.replace("_", "-"): value for key, value in headers.items()})
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=20, context=self.context) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=30)
        self.log.close()
        return code


def site_with_rows(folder, rows=6000, profile="limited-data-set", months=("6", "2025-10")):
    site = Site.made(folder)
    with open(site.folder / "tripkpi.yaml", "a", encoding="utf-8") as settings:
        settings.write(f"trips_feed: {profile}\n")
    site.succeed("sample", "--messy", "--rows", rows, "--months", months[0], "--from", months[1], "--seed", "7", "--output", "inbox/trips.csv")
    site.succeed("run")
    return site


def certificate(folder, name):
    """A certificate of this machine that signs itself, and its key: two PEM files."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.timezone.utc)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    made = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=90))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
            .sign(key, hashes.SHA256()))
    chain, private = folder / f"{name}.pem", folder / f"{name}-key.pem"
    chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return chain, private
