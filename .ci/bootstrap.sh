# Sourced by ./veer and ./check: sets up .venv. Each way to fail ends in one sentence on stderr.
#
#     bootstrap ROOT EXTRA      EXTRA is empty, or [dev]

VEER_DISK_KILOBYTES=1200000

refuse() {
    echo "veer: $1" >&2
    return 1
}

# Prints a Python >= 3.11, or fails.
find_python() {
    for candidate in ${VEER_PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

check_machine() {
    case "$(uname -s) $(uname -m)" in
    "Linux x86_64" | "Linux amd64") ;;
    *) refuse "this is $(uname -s) on $(uname -m), and veer runs on Linux x86-64 only; use such a machine or a container" || return 1 ;;
    esac
    if ! python=$(find_python); then
        found=$(python3 --version 2>/dev/null || echo "no Python at all")
        refuse "Python 3.11 or newer is needed, and here is $found; install one, or set VEER_PYTHON to its path" || return 1
    fi
    if ! "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        refuse "$python lacks venv or ensurepip; install them (on Debian and Ubuntu: apt install python3-venv)" || return 1
    fi
}

check_disk() {
    if [ ! -w "$1" ]; then
        refuse "$1 is not writable, and the environment belongs in $1/.venv; copy veer to a place of your own" || return 1
    fi
    probe=$1/.veer-probe
    if ! { printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe"; } 2>/dev/null; then
        rm -f "$probe"
        refuse "no file can be written in $1; is the disk full, or read-only? free some space, or copy veer elsewhere" || return 1
    fi
    if ! "$probe" 2>/dev/null; then
        rm -f "$probe"
        refuse "no program can be executed in $1; is this file system mounted noexec? copy veer to another one" || return 1
    fi
    rm -f "$probe"
    free=$(df -Pk "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
    if [ -n "$free" ] && [ "$free" -lt "${VEER_DISK_NEEDED:-$VEER_DISK_KILOBYTES}" ]; then
        refuse "only $((free / 1024)) MB are free in $1, and the environment needs 1200 MB; free some space" || return 1
    fi
}

# What pip said, as one sentence.
explain() {
    if grep -qi 'no space left\|disk quota' "$1"; then
        refuse "the disk is full: free about 1200 MB where $2 lies (and in ${TMPDIR:-/tmp}), then call again"
    elif grep -qi 'permission denied' "$1"; then
        refuse "permission was denied while $2/.venv was set up; look at the end of $1"
    elif grep -qi 'could not find a version\|connection\|resolve\|timed out\|retries' "$1"; then
        refuse "the Python packages could not be downloaded; is there a network, or a proxy to set? $1 holds what pip said"
    else
        refuse "the environment could not be set up; $1 holds what pip said"
    fi
}

# One bootstrap at a time; a lock of a dead process is taken over.
lock() {
    waited=0
    until mkdir "$1/.venv.lock" 2>/dev/null; do
        owner=$(cat "$1/.venv.lock/pid" 2>/dev/null || echo 0)
        if [ "$owner" != 0 ] && ! kill -0 "$owner" 2>/dev/null; then
            rm -rf "$1/.venv.lock"
            continue
        fi
        waited=$((waited + 1))
        if [ "$waited" -gt 900 ]; then
            refuse "another veer has been setting up $1/.venv for long; if there is none, remove $1/.venv.lock" || return 1
        fi
        sleep 1
    done
    echo $$ >"$1/.venv.lock/pid"
    trap 'rm -rf "$root/.venv.lock"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

unlock() {
    rm -rf "$1/.venv.lock"
    trap - EXIT INT TERM
}

bootstrap() {
    root=$1
    extra=$2
    check_machine && check_disk "$root" && lock "$root" || return 1
    echo "veer: setting up $root/.venv, once: about 200 MB are downloaded (ziglang 100, llvmlite 60, numpy 20, ...), 800 MB installed" >&2
    log=$root/.venv/setup.log
    if [ ! -x "$root/.venv/bin/python" ] || ! "$root/.venv/bin/python" -c '' 2>/dev/null; then
        rm -rf "$root/.venv"
        if ! mkdir "$root/.venv" || ! "$python" -m venv "$root/.venv" >"$log" 2>&1; then
            explain "$log" "$root"
            return 1
        fi
        if ! "$root/.venv/bin/python" -c '' 2>/dev/null; then
            refuse "$root/.venv/bin/python cannot be executed; is this file system mounted noexec? move veer to another one" || return 1
        fi
    fi
    # Before its distribution was called veer-test (decision 0486) it was called veer: of two of them, one would be out of date.
    "$root/.venv/bin/python" -m pip uninstall -q -y veer >/dev/null 2>&1
    if ! "$root/.venv/bin/python" -m pip install --disable-pip-version-check -e "$root$extra" >"$log" 2>&1; then
        explain "$log" "$root"
        return 1
    fi
    zig=$("$root/.venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("ziglang").submodule_search_locations[0])')/zig
    if ! "$zig" version >/dev/null 2>&1; then
        refuse "$zig cannot be executed; is this file system mounted noexec? move veer to another one" || return 1
    fi
    [ -z "$extra" ] || : >"$root/.venv/.veer-dev-ready"
    : >"$root/.venv/.veer-ready"
    unlock "$root"
    echo "veer: ready" >&2
}
