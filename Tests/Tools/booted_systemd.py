"""Boots systemd in namespaces of its own, and runs a script there as root.

Its root is an overlay on the root of this machine in memory, so the machine keeps nothing of it: no user, no unit, no file.
It has its own processes, mounts, host name, network (none) and control group. /proc/sys is read-only.
"""
import os
import shutil
import subprocess
from pathlib import Path

SYSTEMD = "/lib/systemd/systemd"
SECONDS = 240

# $1: an empty folder. It holds `out`, which both sides see, with `prepare.sh` and `inside.sh`.
BOOT = r"""
set -eu
work=$1
mount --make-rprivate /
mkdir -p "$work/root"
mount -t tmpfs tmpfs "$work/root"
mkdir "$work/root/up" "$work/root/wk" "$work/root/new"
R=$work/root/new
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/root/up,workdir=$work/root/wk" "$R"
mount -t proc proc "$R/proc"
mount --bind "$R/proc/sys" "$R/proc/sys"
mount -o remount,bind,ro "$R/proc/sys"
mount -t sysfs -o ro sysfs "$R/sys"
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount -t cgroup2 cgroup2 "$R/sys/fs/cgroup"
else
    mount -t tmpfs tmpfs "$R/sys/fs/cgroup"
    mkdir "$R/sys/fs/cgroup/systemd"
    mount -t cgroup -o none,name=systemd cgroup "$R/sys/fs/cgroup/systemd"
fi
mount -t tmpfs -o mode=755 tmpfs "$R/run"
mount -t tmpfs -o mode=1777 tmpfs "$R/tmp"
mount -t tmpfs -o mode=755 tmpfs "$R/dev"
for n in null zero full random urandom tty; do : >"$R/dev/$n"; mount --bind "/dev/$n" "$R/dev/$n"; done
mkdir "$R/dev/shm" "$R/dev/pts" "$R/dev/mqueue" "$R/dev/hugepages"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$R/dev/pts"
ln -s pts/ptmx "$R/dev/ptmx"
ln -s /proc/self/fd "$R/dev/fd"
: >"$R/dev/console"
mkdir "$R/run/out"
mount --bind "$work/out" "$R/run/out"
cat >"$R/etc/systemd/system/check.target" <<X
[Unit]
DefaultDependencies=no
Wants=check.service systemd-journald.service dbus.service
X
cat >"$R/etc/systemd/system/check.service" <<X
[Unit]
DefaultDependencies=no
After=systemd-journald.service dbus.service
[Service]
Type=oneshot
ExecStart=/bin/bash /run/out/inside.sh
ExecStopPost=/bin/systemctl --force exit
StandardOutput=file:/run/out/inside.log
StandardError=inherit
X
R=$R /bin/sh "$work/out/prepare.sh"
cd "$R"
mkdir -p oldroot
pivot_root . oldroot
umount -l /oldroot
# The credentials of a service reach it through shared mounts.
mount --make-rshared /
export container=check
exec %s --system --log-target=journal --show-status=no --unit=check.target
""" % SYSTEMD


def why_not():
    """Why systemd cannot be booted here; None if it may work."""
    if os.geteuid() != 0:
        return "only root can boot it"
    missing = [tool for tool in ("unshare", "systemctl", "runuser", "dbus-daemon", "curl") if shutil.which(tool) is None]
    if not Path(SYSTEMD).exists() or missing:
        return f"there is no {' '.join(missing) or 'systemd'} (Debian: systemd, dbus, curl)"
    return None


def control_group(name):
    """A new control group; the folder that a process moves itself to."""
    root = Path("/sys/fs/cgroup")
    parent = root if (root / "cgroup.controllers").exists() else root / "systemd"
    folder = parent / name
    folder.mkdir()
    return folder


def remove(group):
    for folder in sorted(group.rglob("*"), key=lambda path: -len(path.parts)):
        if folder.is_dir():
            folder.rmdir()
    group.rmdir()


def run(folder, prepare, inside):
    """What the script `inside` printed; None if systemd does not boot here.

    `prepare` is a shell script that changes the root `$R` before the boot. What `inside` writes to /run/out is in
    `folder/out`.
    """
    out = Path(folder, "out")
    out.mkdir()
    (out / "prepare.sh").write_text("set -eu\n" + prepare)
    (out / "inside.sh").write_text(inside + "\necho booted and ended\n")
    try:
        group = control_group(f"tripkpi-check-{os.getpid()}")
    except OSError:
        return None
    try:
        move = f'echo $$ >{group}/cgroup.procs && exec unshare --fork --kill-child --pid --mount --uts --ipc --net --cgroup ' \
               'sh -c "$0" sh "$1"'
        booted = subprocess.run(["sh", "-c", move, BOOT, str(folder)], capture_output=True, text=True, check=False,
                                timeout=SECONDS, stdin=subprocess.DEVNULL)
    finally:
        try:
            remove(group)
        except OSError:
            # A process of it is still ending.
            pass
    log = out / "inside.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    if "booted and ended" in text:
        return text
    if not text:
        print(booted.stderr[-1500:])
        return None
    return text
