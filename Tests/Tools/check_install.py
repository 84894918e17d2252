#!/usr/bin/env python3
"""Check what `make install` and `make deb` install, as a user without rights would use it.

`scripts/install.sh` installs into an empty root. There each command of README.md and of docs/ is run, from a new home
folder, by a user who may write only to it. The Debian package is installed into a root that has only the packages on
which it depends, used there and removed. If `.build/static` has the program of `make deb`, made from these sources, the
package holds it; otherwise the package holds the built program, and what only the former can show is skipped.
"""
import gzip
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from nightly_site import FIRST_NIGHT, ROOT, TRIPKPI, Checks, tree

# A user and a group of every Unix that own nothing.
NOBODY = 65534
PROGRAMS = ("tripkpi", "tripkpi-serve")
STATIC = ROOT / ".build/static/release/tripkpi"
# Placeholders of the pages.
PLACEHOLDERS = {
    "FILE…": "export.csv", "COMMAND": "scan", "NAME": "kpi-summary", "NEW": "new-rules.yaml",
    "REGION TYPE MONTH": "North Routine 2025-03", "/etc/tripkpi/tripkpi.yaml": "etc/tripkpi.yaml",
    "/backup/": "./", "/root/tripkpi.secret": "tripkpi.secret", "/archive/audit-2026.jsonl": "store/tripkpi.sqlite.audit.jsonl",
    "FILE": "export.csv", "--explain$": "--explain North Routine 2025-03",
}
# The hash in the examples.
EXAMPLE_HASH = "3f9a1c02"

checks = Checks()
is_root = os.geteuid() == 0


def expect(what, is_right, detail=""):
    return checks.hold(what, None if is_right else detail.strip()[-1500:] or "it does not hold")


def run(*command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=600,
                          stdin=subprocess.DEVNULL, **options)


def caller():
    """The environment without settings of the caller."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("TRIPKPI", "XDG"))}


def commands(page):
    """The commands of a page: its indented lines, and what it names with arguments inside a sentence."""
    found = []
    for line in page.read_text(encoding="utf-8").splitlines():
        if re.match(r" {4,}tripkpi ", line):
            found.append(re.sub(r"\s{2,}#.*$", "", line).strip())
        else:
            found += [span for span in re.findall(r"`((?:tripkpi|mv store/)[^`]+)`", line)
                      if re.search(r" (--|[A-Z]{4})", span) or span.startswith(("tripkpi help", "mv "))]
    return found


class User:
    """A user without rights in a new home folder, with an installed copy on the path."""

    def __init__(self, folder, program, prefix=()):
        self.home = Path(folder)
        self.prefix = [*prefix]
        # Libraries are found by the path in the program, in a package by that of the system.
        self.environment = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": str(self.home), "LC_ALL": "C.UTF-8",
                            "NO_COLOR": "1", "SOURCE_DATE_EPOCH": str(FIRST_NIGHT + 2 * 86_400)}
        self.home.mkdir()
        if is_root:
            os.chown(self.home, NOBODY, NOBODY)
            self.prefix = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", "--no-new-privs",
                           *self.prefix]

    def shell(self, line):
        return run(*self.prefix, "sh", "-c", line, cwd=self.home, env=self.environment)

    def prepare(self, share):
        """What the pages presume: the shipped data, an export, a store of `make demo`, rules and settings to change."""
        steps = f"""
            set -e
            ln -s {share} data
            mkdir -p inbox etc reports/demo/nightly/inbox
            # As data/samples/sample.csv.gz, with a third of its trips.
            tripkpi sample --messy --rows 5000 --seed 7 --from 2023-10 --months 24 --gzip --output inbox/sample.csv.gz
            cp inbox/sample.csv.gz reports/demo/nightly/inbox/
            gzip -dc inbox/sample.csv.gz >export.csv
            cp export.csv trips-2026-03.csv
            printf 'fiscal_year,region,type,sourcing,trips,cost\n2025,,,,5000,2500000\n' >budget.csv
            sed 's/^name: .*/name: new-rules/' data/rules/default.yaml >new-rules.yaml
            cp data/rules/*.csv .
            cp data/tripkpi.yaml.example etc/tripkpi.yaml
            head -c 32 /dev/urandom | install -m 0600 /dev/stdin tripkpi.secret
            sed -n '2p' export.csv | cut -d , -f 1 >id.txt
            cp id.txt trips.txt
            echo unknown >patients.txt
            export TRIPKPI_RELEASE_APPROVAL=never
            SOURCE_DATE_EPOCH={FIRST_NIGHT} tripkpi run --quiet
            # Other trips: with the same figures they would be the same trips under other ids.
            gzip -dc inbox/sample.csv.gz | sed '2,$s/^[^,]*/&-B/; s/\\.\\([0-9]\\)\\([0-9]\\)\\([,"]\\)/.\\2\\1\\3/g' >inbox/more.csv
            SOURCE_DATE_EPOCH={FIRST_NIGHT + 86_400} tripkpi run --quiet
        """
        return self.shell(steps)

    def hash(self):
        listed = self.shell("tripkpi query export_ledger --internal --format csv")
        digest = re.search(r"\b[0-9a-f]{64}\b", listed.stdout)
        return digest[0][:8] if digest else EXAMPLE_HASH


def install(root, prefix="/usr"):
    environment = {**caller(), "DESTDIR": str(root), "PREFIX": prefix, "TRIPKPI": TRIPKPI}
    installed = run(ROOT / "scripts/install.sh", "install", env=environment)
    expect("install", installed.returncode == 0, installed.stderr)
    return environment


def check_files(prefix):
    program = prefix / "bin/tripkpi"
    for name in PROGRAMS:
        sections = run("readelf", "--sections", "--wide", prefix / "bin" / name).stdout
        expect(f"{name} is stripped", " .text" in sections and ".symtab" not in sections and ".debug" not in sections,
               sections)
    served = run(prefix / "bin/tripkpi-serve", "--version", env=caller())
    expect("both programs are of one version", served.stdout == run(program, "--version", env=caller()).stdout != "",
           served.stdout + served.stderr)
    cron = (prefix / "share/tripkpi/cron/tripkpi").read_text()
    expect("the cron line finds the program", re.search(r"^PATH=(\S+?):", cron, re.M)[1].endswith("/bin"), cron)
    for name in ("contract", "profiles", "reference", "rules", "samples"):
        here, there = tree(ROOT / "data" / name), tree(prefix / "share/tripkpi" / name)
        expect(f"data/{name} is installed", here == there, str(set(here) ^ set(there)))
    expect("share/tripkpi has no README", not (prefix / "share/tripkpi/README.md").exists())
    expect("the queries are installed", tree(ROOT / "queries") == tree(prefix / "share/tripkpi/queries"))
    help_text = run(program, "--help", env=caller()).stdout
    names = re.findall(r"^  ([a-z]+)  ", help_text.split("SUBCOMMANDS", 1)[-1], re.MULTILINE)
    expect("help lists the commands", len(names) > 15, help_text)
    bash = (prefix / "share/bash-completion/completions/tripkpi").read_text()
    fish = (prefix / "share/fish/vendor_completions.d/tripkpi.fish").read_text()
    zsh = (prefix / "share/zsh/site-functions/_tripkpi").read_text()
    for name in names:
        page = prefix / f"share/man/man1/tripkpi.{name}.1"
        expect(f"the manual page of {name}", page.is_file() and ".Sh NAME" in page.read_text())
        expect(f"completions of {name}", all(re.search(rf"\b{name}\b", text) for text in (bash, fish, zsh)))
    expect("the completions of bash are a script", run("bash", "-n", prefix / "share/bash-completion/completions/tripkpi")
           .returncode == 0)
    documents = prefix / "share/doc/tripkpi"
    for page in [documents / "README.md", *sorted(documents.glob("docs/*.md"))]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            # The sources are not installed.
            if "://" in target or re.search(r"(^|/)(Sources/|Tests/|Benchmarks/|Package)", target):
                continue
            expect(f"a link of the installed {page.name}", (page.parent / target).exists(), target)
    for path in prefix.rglob("*"):
        if not path.is_symlink() and path.stat().st_mode & 0o022:
            expect("only root may write", False, str(path))


def linked(program):
    """The modules of a built program that has its symbols, by the names that Swift and C give these."""
    symbols = run("nm", "--defined-only", program).stdout
    swift = re.findall(r" \$s(\d+)(\w+)", symbols)
    return {text[:int(size)] for size, text in swift} | set(re.findall(r" (CNIO[A-Z][A-Za-z]+)_", symbols))


def check_links():
    """What computes figures has no web server; what listens on the network has no store, no key and no reader of exports."""
    figures, server = (linked(Path(TRIPKPI).with_name(name)) for name in PROGRAMS)
    web = {"Hummingbird", "HummingbirdCore", "HummingbirdTLS", "NIOCore", "NIOPosix", "NIOSSL", "CNIOBoringSSL", "JWTKit", "ServiceLifecycle"}
    own = {"Store", "Keys", "ExportBytes", "Intake", "Profiles", "Rules", "Privacy", "Settings", "Queries", "Dashboard", "Mustache"}
    # Each is found where it belongs: the names are those of the modules.
    expect("tripkpi has the store and the keys", own <= figures, str(own - figures))
    expect("tripkpi-serve has the web server", web | {"Serving"} <= server, str((web | {"Serving"}) - server))
    expect("tripkpi has no web server", not figures & (web | {"Serving"}), str(figures & (web | {"Serving"})))
    expect("tripkpi-serve has no store, no key, no reader of exports and no maker of pages", not server & own, str(server & own))


def check_pages(folder, prefix):
    """Each page's commands, in its order, in a home of its own."""
    before = tree(prefix)
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    count = 0
    # Two nights take longer than all commands of a page.
    first = User(folder / "nights", prefix / "bin/tripkpi")
    ready = first.prepare(prefix / "share/tripkpi")
    if not expect("a home for the commands", ready.returncode == 0, ready.stderr):
        return count
    digest = first.hash()
    for page in pages:
        found = commands(page)
        if not found:
            continue
        user = User(folder / page.stem, prefix / "bin/tripkpi")
        copied = run(*user.prefix, "cp", "-a", f"{first.home}/.", user.home)
        if not expect(f"{page.name}: a home for its commands", copied.returncode == 0, copied.stderr):
            continue
        for line in found:
            if "make " in line:
                continue
            for placeholder, value in PLACEHOLDERS.items():
                line = re.sub(placeholder if placeholder.endswith("/") else rf"{placeholder}(?!\w)", value, line)
            result = user.shell(line.replace(EXAMPLE_HASH, digest).replace("HASH", digest))
            expect(f"{page.name}: {line}", result.returncode == 0, f"ends with {result.returncode}: {result.stderr}")
            count += 1
    expect("the pages have commands", count > 50, str(count))
    expect("the commands leave the installed files as they are", tree(prefix) == before)
    return count


def check_installed(folder):
    root = folder / "root"
    environment = install(root)
    prefix = root / "usr"
    check_files(prefix)
    user = User(folder / "doctor", prefix / "bin/tripkpi")
    doctor = user.shell("tripkpi doctor")
    expect("doctor", doctor.returncode == 0 and str(prefix / "share/tripkpi") in doctor.stdout, doctor.stdout)
    # The server is found beside the program, also by a link to it.
    (user.home / "link").symlink_to(prefix / "bin/tripkpi")
    served = user.shell("./link serve --without-auth --listen 127.0.0.1:http")
    expect("serve finds the program beside it", served.returncode == 78 and "tripkpi: api_listen: is no address" in served.stderr,
           f"{served.returncode} {served.stderr}")
    # A file that a command needs and that is missing is found by doctor too.
    queries = prefix / "share/tripkpi/queries"
    queries.rename(prefix / "share/tripkpi/away")
    sick = user.shell("tripkpi doctor")
    expect("doctor misses the queries", sick.returncode == 78 and "fail  queries" in sick.stdout, sick.stdout)
    (prefix / "share/tripkpi/away").rename(queries)
    states = prefix / "share/tripkpi/reference/states.csv"
    kept = states.read_bytes()
    states.unlink()
    sick = user.shell("tripkpi doctor")
    expect("doctor misses a reference table", sick.returncode == 78 and "fail  reference" in sick.stdout, sick.stdout)
    rows = user.shell(f"tripkpi trips {prefix}/share/tripkpi/samples/sample.csv")
    expect("trips misses it too", rows.returncode == 78, rows.stderr)
    states.write_bytes(kept)
    print(f"{check_pages(folder, prefix)} commands of the pages")
    removed = run(ROOT / "scripts/install.sh", "uninstall", env=environment)
    left = [str(path) for path in root.rglob("*") if not path.is_dir() or path.is_symlink()]
    expect("uninstall leaves nothing", removed.returncode == 0 and not left, "\n".join(left))


def static_program():
    """The program of `make deb`, if it was made after the last change of the sources."""
    if not STATIC.is_file():
        return None
    sources = [ROOT / "Package.swift", *(ROOT / "Sources").rglob("*.swift")]
    if not STATIC.with_name("tripkpi-serve").is_file():
        return None
    return STATIC if STATIC.stat().st_mtime > max(path.stat().st_mtime for path in sources) else None


def libraries(program):
    """The libraries that a program loads, and its loader."""
    return sorted(set(re.findall(r"(/\S+) \(0x", run("ldd", program).stdout)))


def copy_into(root, path):
    """A file under its own name, with the links that lead to it."""
    target = root / str(path).lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists():
        shutil.copy2(os.path.realpath(path), target)


def clean_root(folder, program, depends):
    """A root with the named packages in dpkg's list, and with their libraries."""
    root = folder / "clean"
    (root / "var/lib/dpkg/info").mkdir(parents=True)
    (root / "var/lib/dpkg/updates").mkdir()
    stanzas = [run("dpkg-query", "--status", name).stdout for name in depends]
    (root / "var/lib/dpkg/status").write_text("\n".join(stanzas), encoding="utf-8")
    for library in {*libraries(program), *libraries(program.with_name("tripkpi-serve"))}:
        copy_into(root, library)
    # `zone:` needs the zones; the package recommends tzdata.
    shutil.copytree("/usr/share/zoneinfo", root / "usr/share/zoneinfo", symlinks=True)
    (root / "tmp").mkdir(mode=0o1777)
    (root / "home").mkdir()
    os.chown(root / "home", NOBODY, NOBODY)
    return root


def check_package(folder):
    if shutil.which("dpkg-deb") is None:
        checks.skip("the Debian package", "there is no dpkg-deb")
        return
    static = static_program()
    program = static or Path(TRIPKPI)
    # xz would take longer than all that is done with the package.
    made = run(ROOT / "scripts/deb.sh", program, env={**caller(), "CHECK_DEB": str(folder), "DPKG_DEB_COMPRESSOR_TYPE": "gzip",
                                                      "DPKG_DEB_COMPRESSOR_LEVEL": "1"})
    if not expect("make deb", made.returncode == 0, made.stderr):
        return
    package = made.stdout.split()[-1]

    def field(name):
        return run("dpkg-deb", "--field", package, name).stdout.strip()

    depends = [re.sub(r"[ (].*", "", part.strip()) for part in field("Depends").split(",")]
    expect("the package names its libraries", set(depends) == {
        "libc6", "libgcc-s1", "libstdc++6", "libsqlite3-0", "libxlsxwriter4", "zlib1g"}, str(depends))
    version = run(TRIPKPI, "--version", env=caller()).stdout.strip()
    expect("the package has the program's version", field("Version") == version, field("Version"))
    scripts = run("dpkg-deb", "--ctrl-tarfile", package).stdout
    expect("nothing of the package runs when it is installed", not re.search(r"(pre|post)(inst|rm)", scripts))
    check_tree(folder, package)
    for name in PROGRAMS:
        check_static(static and static.with_name(name), depends)
    if not is_root:
        checks.skip("installing the package", "only root can install into another root")
        return
    root = clean_root(folder, program, depends)
    before = tree(root / "usr"), tree(root / "etc")
    dpkg = ["dpkg", f"--root={root}", "--force-not-root", "--force-script-chrootless", "--no-triggers"]
    installed = run(*dpkg, "--install", package)
    if not expect("dpkg installs it into a clean root", installed.returncode == 0, installed.stdout + installed.stderr):
        return
    check_root(root)
    removed = run(*dpkg, "--purge", "tripkpi")
    expect("dpkg removes it", removed.returncode == 0, removed.stdout + removed.stderr)
    expect("and leaves nothing", (tree(root / "usr"), tree(root / "etc")) == before,
           str(set(tree(root / "usr")) ^ set(before[0])))
    # Without one of the packages that it names, it is refused.
    status = root / "var/lib/dpkg/status"
    status.write_text(re.sub(r"Package: zlib1g\n(.+\n)+", "", status.read_text(encoding="utf-8")), encoding="utf-8")
    refused = run(*dpkg, "--install", package)
    expect("dpkg refuses it where a library is missing", refused.returncode != 0 and "zlib1g" in refused.stderr,
           refused.stderr)


def check_tree(folder, package):
    unpacked = folder / "unpacked"
    run("dpkg-deb", "--extract", package, unpacked)
    pages = list(unpacked.glob("usr/share/man/man1/*"))
    expect("its manual pages are compressed", len(pages) > 25 and all(page.suffix == ".gz" for page in pages))
    text = gzip.decompress((unpacked / "usr/share/man/man1/tripkpi.1.gz").read_bytes()).decode()
    expect("and can be read", ".Sh NAME" in text)
    expect("it has a copyright file", "GRDB" in (unpacked / "usr/share/doc/tripkpi/copyright").read_text())
    service = (unpacked / "usr/lib/systemd/system/tripkpi.service").read_text()
    expect("its unit names the program", "ExecStart=/usr/bin/tripkpi run" in service)
    owners = run("dpkg-deb", "--contents", package).stdout.splitlines()
    expect("all of it is root's", all(line.split()[1] == "root/root" for line in owners))
    if shutil.which("lintian"):
        found = run("lintian", "--fail-on", "error", "--suppress-tags", "statically-linked-binary", package)
        expect("lintian finds no error", found.returncode == 0, found.stdout)
    else:
        checks.skip("lintian", "there is no lintian (Debian: lintian)")


def check_static(program, depends):
    if program is None:
        checks.skip("the package's programs need no Swift", "make deb has not built these sources")
        return
    loaded = libraries(program)
    expect(f"{program.name} of the package needs no Swift", not [path for path in loaded if "swift" in path], "\n".join(loaded))
    needed = re.findall(r"NEEDED\s+(\S+)", run("objdump", "-p", program).stdout)
    for name in needed:
        path = next((path for path in loaded if Path(path).name == name), name)
        owners = run("dpkg", "--search", os.path.realpath(path), path).stdout
        packages = {line.split(":")[0] for line in owners.splitlines()}
        # The loader is libc's, wherever it is linked.
        expect(f"a package that it names has {name}", packages & set(depends) or name.startswith("ld-linux"), owners)


def check_root(root):
    """The installed program in the clean root, where there is nothing else."""
    (root / "proc").mkdir(exist_ok=True)
    mount = 'mount -t proc proc "$0/proc" && exec chroot "$@"'
    if (mounted := run("unshare", "--mount", "sh", "-c", mount, root, root, "/usr/bin/tripkpi", "--version")).returncode != 0:
        checks.skip("commands in the clean root", f"/proc cannot be mounted there: {mounted.stderr.strip()[-100:]}")
        return

    def inside(*words):
        return run("unshare", "--mount", "sh", "-c", mount, root, f"--userspec={NOBODY}:{NOBODY}", root, "/usr/bin/tripkpi", *words,
                   env={"HOME": "/home", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": str(FIRST_NIGHT),
                        "PATH": os.environ["PATH"]})

    samples = "/usr/share/tripkpi/samples"
    inbox = root / "home/inbox"
    inbox.mkdir()
    shutil.copy(root / samples.lstrip("/") / "sample.csv.gz", inbox)
    # Commands begin in / there, and `doctor` looks whether they could write.
    os.chown(root, NOBODY, NOBODY)
    site = ("--inbox", "/home/inbox", "--store", "/home/store/tripkpi.sqlite", "--reports", "/home/published")
    for words in (("doctor", "--data-dir", "/usr/share/tripkpi"), ("scan", f"{samples}/sample.csv.gz"),
                  ("scan", f"{samples}/sample.csv", "--internal", "--output", "/home/kpi.xlsx"),
                  ("trips", f"{samples}/sample.csv"), ("run", *site, "--zone", "America/New_York", "--quiet"),
                  ("verify", *site[2:]), ("query", "--check", *site[2:4])):
        result = inside(*words)
        expect(f"in the clean root: {words[0]}", result.returncode == 0 and "USAGE" not in result.stdout,
               result.stdout[-800:] + result.stderr)
    # Without /proc there are no arguments: a command must not look as if it had done its work.
    bare = run("chroot", root, "/usr/bin/tripkpi", "verify")
    expect("without /proc a command says so", bare.returncode == 74 and "mount /proc" in bare.stderr, bare.stdout + bare.stderr)


with tempfile.TemporaryDirectory() as name:
    place = Path(name)
    place.chmod(0o755)
    os.umask(0o022)
    if not is_root:
        checks.skip("a user without rights", "only root can become another user; the commands ran as this user")
    elif shutil.which("setpriv") is None:
        raise SystemExit("there is no setpriv (Debian: util-linux)")
    check_links()
    check_installed(place)
    check_package(place)
raise SystemExit(checks.end())
