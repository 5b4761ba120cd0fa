#!/bin/sh
# Puts the sources of the test framework Unity into the folder $1, out of the source package of cJSON: Debian packages
# Unity itself nowhere. The list of source packages is a private one, so that the machine's own stay as they are.
set -eu
mkdir -p "$1"
folder=$(CDPATH='' cd -- "$1" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir -p lists/partial
grep -hE '^deb ' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed 's/^deb /deb-src /' >sources.list || true
mkdir parts
for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"parts/$(basename "$file")"
done
set -- -q -o Dir::Etc::sourcelist="$scratch/sources.list" -o Dir::Etc::sourceparts="$scratch/parts" \
    -o Dir::State::lists="$scratch/lists" -o APT::Sandbox::User=root
apt-get "$@" update >/dev/null
apt-get "$@" source --download-only cjson >/dev/null
mkdir source
tar -xf cjson_*.orig.tar.* -C source --strip-components=1
cp -R source/tests/unity/src source/tests/unity/examples "$folder"
