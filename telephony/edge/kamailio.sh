#!/bin/bash
# Prints where Debian's Kamailio is, a line each: the program, the folder of its modules, its library path. Unless it is installed, its package is
# unpacked into a folder ($1). Never installed: the package would start a proxy of its own. Standard error: what is missing.
set -euo pipefail
home=${1:?a folder}
die() { echo "kamailio: $*" >&2; exit 1; }
root=
if [ ! -x /usr/sbin/kamailio ]; then
  command -v apt-get > /dev/null && command -v dpkg-deb > /dev/null || die "is missing: apt-get install kamailio"
  root=$home/root
  if [ ! -x "$root/usr/sbin/kamailio" ]; then
    mkdir -p "$home"
    ( cd "$home"
      [ "$(id -u)" != 0 ] || apt-get -qq update || true
      apt-get -qq download kamailio kamailio-tls-modules && for deb in ./*.deb; do dpkg-deb -x "$deb" root; done; rm -f ./*.deb ) > /dev/null 2>&1 || true
    [ -x "$root/usr/sbin/kamailio" ] || die "cannot be had: apt-get install kamailio"
  fi
fi
libraries=$root/usr/lib/$(uname -m)-linux-gnu/kamailio
for module in topoh tls; do [ -e "$libraries/modules/$module.so" ] || die "no $module.so in $libraries/modules: apt-get install kamailio kamailio-tls-modules"; done
echo "$root/usr/sbin/kamailio"
echo "$libraries/modules"
echo "$libraries"
