#!/usr/bin/env python3
"""Run the units of data/systemd under a systemd that is booted for it, in namespaces (`booted_systemd.py`).

The layout is the shipped one: the user tripkpi, the key by LoadCredential. The commands are those of data/systemd/README.md,
taken from the page. Skipped without root, or where systemd does not boot.
"""
import re
import sys
import tempfile
from pathlib import Path

import booted_systemd
from nightly_site import ROOT, TRIPKPI, Checks

PAGE = (ROOT / "data/systemd/README.md").read_text(encoding="utf-8")
# What the digest unit must not see.
HIDDEN = ("/var/lib/tripkpi/store", "/var/lib/tripkpi/inbox", "/var/lib/tripkpi/reports/published/staff",
          "/etc/tripkpi/tripkpi.key")
checks = Checks()


def section(name):
    """The commands of a section: its indented lines, a line that ends with a backslash joined with the next."""
    text = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]
    lines = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    return re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()


PREPARE = f"""
for unit in {ROOT}/data/systemd/tripkpi*; do cp "$unit" "$R/etc/systemd/system/"; done
cp -L "{TRIPKPI}" "$R/usr/local/bin/tripkpi"
rm -rf "$R/usr/local/share/tripkpi"
cp -a "{ROOT}/data" "$R/usr/local/share/tripkpi"
cp -a "{ROOT}/queries" "$R/usr/local/share/tripkpi/queries"
"""

# The lines that docs/alerts.md has for mail and chat, and servers for them.
MAIL, CHAT = re.findall(r"^    (DIGEST_SEND=.*)$", (ROOT / "docs/alerts.md").read_text(encoding="utf-8"), re.M)
SERVERS = r"""
import http.server, socketserver, threading
class Mail(socketserver.StreamRequestHandler):
    def handle(self):
        say = lambda text: self.wfile.write((text + "\r\n").encode())
        say("220 mail")
        for line in self.rfile:
            if line[:4].upper() == b"DATA":
                say("354 go on")
                with open("/run/out/mail.txt", "wb") as file:
                    for part in iter(self.rfile.readline, b".\r\n"): file.write(part)
            say("250 ok")
            if line[:4].upper() == b"QUIT": return
class Chat(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        with open("/run/out/chat.txt", "wb") as file:
            file.write(self.path.encode() + b"\n" + self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_): pass
threading.Thread(target=socketserver.TCPServer(("127.0.0.1", 25), Mail).serve_forever, daemon=True).start()
http.server.HTTPServer(("127.0.0.1", 8099), Chat).serve_forever()
"""

SETUP = "\n".join(line for line in section("Set up") if not line.startswith("systemctl"))
# Without paths, as the page: they are relative to the folder of the user.
SETTINGS = """metrics_file: /var/lib/tripkpi-metrics/tripkpi.prom
zone: America/New_York
"""
# What the site sends: the message, and what its command can read.
SEND = "cat >/tmp/message; " + "; ".join(f"cat {path}/* {path} >/dev/null 2>&1 && echo SEES {path}" for path in HIDDEN)
SEND += '; cat /tmp/message; touch /var/lib/x /etc/x 2>/dev/null && echo WRITES; id -un'

SCRIPTS = "\n".join(
    f"cat >/run/out/{name}.sh <<'X'\nset -e\n{chr(10).join(section(title))}\nX"
    for name, title in (("backup", "Back up"), ("purge", "Remove a patient"), ("restore", "Restore"), ("lost", "When the key is lost")))
INSIDE = f"""
export SYSTEMD_PAGER=cat TERM=dumb SYSTEMD_COLORS=0
step() {{ name=$1; shift; sh -c "$*" >/run/out/"$name".txt 2>&1; echo "$name=$?"; }}
unit() {{ step "$1" "systemctl start \\"tripkpi@\\$(systemd-escape -- '$2').service\\""
    journalctl -u 'tripkpi@*' -n 30 -o cat >>/run/out/"$1".txt; }}
{{ {SETUP}
}} >/run/out/setup.txt 2>&1
cat >/etc/tripkpi/tripkpi.yaml <<'X'
{SETTINGS}X
chown root:tripkpi /etc/tripkpi/tripkpi.yaml && chmod 0640 /etc/tripkpi/tripkpi.yaml
cat >/etc/tripkpi/digest.env <<'X'
DIGEST_SEND={SEND}
X
systemctl daemon-reload
trips() {{ awk -v first="$1" 'BEGIN {{ print "trip_id,service_date,hcpcs_modifiers,cost"; for (i = first; i < first + 400; i++)
    printf "SYN-%d,2024-01-%d,%s,%d.00\\n", i, i % 20 + 10, i % 2 ? "QN" : "", 100 + i % 7 }}' \
    | install -o tripkpi -g tripkpi -m 0640 /dev/stdin "/var/lib/tripkpi/inbox/$2"; }}
trips 0 a.csv
# As on a site: systemd forgets the starts of a unit that no timer names.
systemctl start tripkpi.timer
step run systemctl start tripkpi.service
unit approve 'publish --approve operator'
trips 400 b.csv
unit run_by_template run
unit verify verify
unit revise 'publish --revise'
unit rollback 'publish --rollback --hold'
unit resume 'publish --resume'
unit replay 'load --replay inbox/a.csv'
hash=$(sha256sum /var/lib/tripkpi/inbox/b.csv | cut -c 1-8)
unit withdraw "load --withdraw $hash"
printf 'trip_id,service_date\\n1,soon\\n2,2024-01-03\\n' >/var/lib/tripkpi/inbox/bad.csv
chown tripkpi:tripkpi /var/lib/tripkpi/inbox/bad.csv
step failing systemctl start tripkpi.service
for i in 1 2 3 4 5 6 7 8 9 10; do
    systemctl is-active 'tripkpi-digest@tripkpi.service.service' | grep -q activating || break; sleep 1; done
journalctl -u 'tripkpi-digest@tripkpi.service.service' -o cat >/run/out/digest.txt
journalctl -u 'tripkpi-failure@tripkpi.service.service' -o cat >/run/out/failure.txt
unit list 'quarantine list'
bad=$(sha256sum /var/lib/tripkpi/inbox/bad.csv | cut -c 1-8)
unit waive "quarantine waive $bad --reason \\"sent again\\""
# Two starts were before; a start after three is refused, until the count is zero.
step third systemctl start tripkpi.service
step refused systemctl start tripkpi.service
step reset 'systemctl reset-failed tripkpi.service; systemctl start tripkpi.service'
# As root or as the user it does not work: that is why there is the template.
step as_root "cd /var/lib/tripkpi && tripkpi publish --config /etc/tripkpi/tripkpi.yaml --key-file /etc/tripkpi/tripkpi.key"
step as_user "cd /var/lib/tripkpi && runuser -u tripkpi -- tripkpi publish --config /etc/tripkpi/tripkpi.yaml --key-file /etc/tripkpi/tripkpi.key"
step by_hand '{section("Run other commands")[-1]}'
cat >/run/out/rotate.sh <<'X'
set -e
{chr(10).join(section("Rotate the key"))}
X
step rotate sh /run/out/rotate.sh
journalctl -u tripkpi@key -n 5 -o cat >>/run/out/rotate.txt
ls -ln /etc/tripkpi >/run/out/key.txt
unit after_rotation verify
step weekly 'systemctl start tripkpi-digest.timer && systemctl start tripkpi-digest@tripkpi.service.service'
cat >/run/servers.py <<'X'
{SERVERS}
X
/usr/bin/python3 /run/servers.py >/run/out/servers.txt 2>&1 &
sleep 1
cat >/etc/tripkpi/digest.env <<'X'
{MAIL}
X
step mailing systemctl start tripkpi-digest@tripkpi.service.service
cat >/etc/tripkpi/digest.env <<'X'
DIGEST_FORMAT=json
{CHAT}
X
echo 'url = "http://127.0.0.1:8099/hooks/secret"' | install -m 0600 /dev/stdin /etc/tripkpi/webhook
mkdir -p /etc/systemd/system/tripkpi-digest@.service.d
printf '[Service]\\nLoadCredential=webhook:/etc/tripkpi/webhook\\n' >/etc/systemd/system/tripkpi-digest@.service.d/chat.conf
systemctl daemon-reload
step chatting systemctl start tripkpi-digest@tripkpi.service.service
cat /var/lib/tripkpi/store/tripkpi.sqlite.audit.jsonl >/run/out/audit.txt
# Disasters, by the lines of the page. `sh -c` has one set of quotes: they are files.
cd /root; echo SYN-1 >patients.txt
{SCRIPTS}
step backup sh /run/out/backup.sh
step purge sh /run/out/purge.sh
journalctl -u 'tripkpi@purge*' -n 20 -o cat >>/run/out/purge.txt
rm -rf /var/lib/tripkpi/reports /etc/tripkpi/tripkpi.key
step restore sh /run/out/restore.sh
find /var/lib/tripkpi/store /var/lib/tripkpi/reports /etc/tripkpi/tripkpi.key -printf '%u %m %P\\n' >/run/out/owners.txt
unit run_restored run
unit verify_restored verify
rm /etc/tripkpi/tripkpi.key /var/lib/tripkpi/inbox/bad.csv
step without_key systemctl start tripkpi@verify
step lost sh /run/out/lost.sh
journalctl -u 'tripkpi@run*' -n 40 -o cat >>/run/out/lost.txt
"""
EXPECTED = {
    "run": 0, "approve": 0, "run_by_template": 0, "verify": 0, "revise": 0, "rollback": 0, "resume": 0, "replay": 0, "withdraw": 0,
    "failing": 1, "list": 0, "waive": 0, "third": 0, "refused": 1, "reset": 0, "as_root": 77, "as_user": 77, "by_hand": 0, "rotate": 0, "after_rotation": 0,
    "weekly": 0, "mailing": 0, "chatting": 0, "backup": 0, "purge": 0, "restore": 0, "run_restored": 0, "verify_restored": 0,
    "without_key": 1, "lost": 0,
}


def check(folder):
    text = booted_systemd.run(folder, PREPARE, INSIDE)
    if text is None:
        return checks.skip("the units under systemd", "systemd does not boot here")
    out = Path(folder, "out")

    def part(name):
        path = out / f"{name}.txt"
        return path.read_text(errors="replace") if path.exists() else ""

    ended = dict(re.findall(r"^(\w+)=(\d+)$", text, re.M))
    for name, code in EXPECTED.items():
        checks.hold(f"{name} under systemd", None if ended.get(name) == str(code) else
                    f"it ended with {ended.get(name)}, not {code}: {part(name)[-800:]}")
    for name, words in {
        "approve": "released: 2024-01", "verify": "ok    store:", "revise": "revision of the release:", "rollback": "it is held",
        "resume": "no longer held", "withdraw": "is taken out", "list": "too_many_rejects", "waive": "is waived",
        "by_hand": "current", "rotate": "rotated 1 times", "failure": "tripkpi.service failed",
        "mail": "Subject: tripkpi on", "chat": '"text":"tripkpi on',
        "as_root": "belongs to user", "as_user": "the key cannot be read",
    }.items():
        checks.hold(f"{name}: “{words}”", None if words in part(name) else part(name)[-800:])
    checks.hold("what was restored belongs to the user, and the key to root", *(
        line for line in part("owners").splitlines() if not re.match(r"tripkpi [67]|root 600 $|root 777 published/\w+/(current|previous)$", line)),
        None if "root 600" in part("owners") else "no key")
    checks.hold("restore names the removal since the backup", None if "removed 1 time" in part("restore") else part("restore"))
    checks.hold("the months are taken over", None if "taken over" in part("lost") else part("lost")[-800:])
    message = part("digest")
    checks.hold("the digest of the failed run", *(
        f"it has no “{words}”: {message[-1500:]}" for words in
        ("Subject: tripkpi on", "tripkpi.service failed with 65", "some failed", "Last success: 20", "Release: ")
        if words not in message))
    checks.hold("the mail has the headers of docs/alerts.md", None if re.match(
        r"From: tripkpi@example.org\r?\nTo: ops@example.org\r?\nSubject: [^\r\n]+\r?\n\r?\nWhat happened: ", part("mail"))
        else repr(part("mail")[:300]))
    checks.hold("the webhook's path is the secret one", None if part("chat").startswith("/hooks/secret\n") else part("chat")[:100])
    checks.hold("the digest sees only the metrics and the release",
                *(line for line in message.splitlines() if line.startswith(("SEES", "WRITES"))),
                None if "tripkpi-digest" in message else "it does not run as a user of its own")
    checks.hold("the key belongs to root, and no copy is left", None if re.search(
        r"^-rw-------\s+1\s+0\s+0\s+96 .* tripkpi\.key$", part("key"), re.M) and "rotation" not in part("key") else part("key"))
    audit = part("audit")
    for event in ("load", "publish", "hold", "resume", "withdraw", "waive", "rotate-key"):
        checks.hold(f"{event} is in the audit log of the user tripkpi",
                    None if re.search(rf'"event":"{event}","user":"tripkpi"', audit) else audit[-500:])
    # Root's and the user's attempts were refused: they left no entry.
    checks.hold("what was refused is not in the audit log", None if '"user":"root"' not in audit else audit[-500:])
    return None


why = booted_systemd.why_not()
if why:
    checks.skip("the units under systemd", why)
else:
    with tempfile.TemporaryDirectory() as place:
        check(place)
sys.exit(checks.end())
