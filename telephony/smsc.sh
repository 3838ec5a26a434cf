#!/bin/bash
# Runs smsc-net-smpp.pl with the given arguments, in place of this process. Debian's libnet-smpp-perl is taken where it is installed; else it is installed,
# or without root unpacked into $SMSC_HOME ($PWD/.ghanti/smsc). TLS needs libio-socket-ssl-perl, which is never unpacked. Standard error: what is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${SMSC_HOME:=$PWD/.ghanti/smsc}"
die() { echo "smsc: $*" >&2; exit 1; }
command -v perl >/dev/null || die "perl is missing (apt-get install perl)"
has() { perl -M"$1" -e 1 2>/dev/null; }
install() { [ "$(id -u)" = 0 ] && { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$1"; } >/dev/null 2>&1; }
unpack() {
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || return 1
  mkdir -p "$SMSC_HOME"
  ( cd "$SMSC_HOME" && rm -f ./*.deb && apt-get -qq download "$1" && dpkg-deb -x ./*.deb root ) >/dev/null 2>&1
}
export PERL5LIB="$SMSC_HOME/root/usr/share/perl5${PERL5LIB:+:$PERL5LIB}"
has Net::SMPP || install libnet-smpp-perl || unpack libnet-smpp-perl || true
has Net::SMPP || die "Net::SMPP is missing: apt-get install libnet-smpp-perl"
case " $* " in *' --tls-port '*)
  has IO::Socket::SSL || install libio-socket-ssl-perl || true
  has IO::Socket::SSL || die "IO::Socket::SSL is missing: apt-get install libio-socket-ssl-perl";;
esac
exec perl "$here/smsc-net-smpp.pl" "$@"
