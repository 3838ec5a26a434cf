#!/bin/bash
# Unpacks Debian's Kannel with the libraries that are missing here into a folder ($1) and prints the folder of its programs and its library path, a line
# each. Never installed: the package would start a gateway of its own. Standard error: what is missing.
set -euo pipefail
home=${1:?a folder}
die() { echo "kannel: $*" >&2; exit 1; }
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || die "needs Debian's apt-get and dpkg-deb"
machine=$(uname -m)-linux-gnu
libraries="$home/root/usr/lib/$machine:$home/root/lib/$machine"
if [ ! -x "$home/root/usr/sbin/bearerbox" ]; then
  mkdir -p "$home"
  ( cd "$home"
    [ "$(id -u)" != 0 ] || apt-get -qq update || true
    apt-get -qq download kannel libct4 libhiredis0.14 libmariadb3 libpcre3 libpq5 libsqlite3-0 libxml2
    for package in ./*.deb; do dpkg-deb -x "$package" root; done; rm -f ./*.deb ) >/dev/null 2>&1 || die "cannot be had: apt-get download kannel"
fi
missing=$(LD_LIBRARY_PATH=$libraries ldd "$home/root/usr/sbin/bearerbox" | awk '/not found/ { print $1 }')
[ -z "$missing" ] || die "libraries are missing: $missing"
echo "$home/root/usr/sbin"
echo "$libraries"
