#!/bin/bash
# One address for all dialers: renders kamailio.cfg and becomes Debian's Kamailio, for any user. It keeps nothing but what is in EDGE_HOME.
#   EDGE_BIND       the address on which it listens, UDP, TCP and TLS; not 0.0.0.0
#   EDGE_DIALERS    addresses or networks of the dialers, with commas: only they may call
#   EDGE_KEY        letters, digits, '-' and '_': seals the dialers' addresses; the same for edges that stand in for each other
#   EDGE_PORT       (5060)
#   EDGE_ADDRESS    the public address, when that is another (behind NAT)
#   EDGE_OPERATORS  addresses or networks whose OPTIONS are answered, with commas
#   EDGE_TLS_CERT, EDGE_TLS_KEY   TLS too, to dialers and operators, with this certificate (PEM files): both see it, and operators who ask for one
#   EDGE_TLS_CA     the file of authorities, or of certificates, that operators must show over TLS; needed with EDGE_TLS_CERT. Names are not compared
#   EDGE_TLS_PORT   (5061)
#   EDGE_CHILDREN   processes for each socket (4)
#   EDGE_LOG        Kamailio's debug level: -1 errors, 0 warnings, 2 information (-1)
#   KAMAILIO, MODULES   the program and the folder of its modules, where they are not Debian's
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
die() { echo "edge: $*" >&2; exit 1; }
: "${EDGE_BIND:?EDGE_BIND is required}" "${EDGE_DIALERS:?EDGE_DIALERS is required}" "${EDGE_KEY:?EDGE_KEY is required}"
BIND=$EDGE_BIND KEY=$EDGE_KEY PORT=${EDGE_PORT:-5060} ADDRESS=${EDGE_ADDRESS:-$EDGE_BIND} CHILDREN=${EDGE_CHILDREN:-4} LOG=${EDGE_LOG:--1} HOME_=${EDGE_HOME:-/run/edge}
ADVERTISE=${EDGE_ADDRESS:+ advertise $EDGE_ADDRESS:$PORT} ADDRESSES=$HOME_/addresses
TLS_CERT=${EDGE_TLS_CERT:-} TLS_KEY=${EDGE_TLS_KEY:-} TLS_CA=${EDGE_TLS_CA:-} TLS_PORT=${EDGE_TLS_PORT:-5061} TLS_CONFIG=$HOME_/tls.cfg
TLS_ADVERTISE=${EDGE_ADDRESS:+ advertise $EDGE_ADDRESS:$TLS_PORT}
KAMAILIO=${KAMAILIO:-/usr/sbin/kamailio}
[ -x "$KAMAILIO" ] || die "kamailio is missing (apt-get install kamailio)"
MODULES=${MODULES:-/usr/lib/$(uname -m)-linux-gnu/kamailio/modules}
[ -e "$MODULES/topoh.so" ] || die "no topoh.so in $MODULES"
plain() { case $2 in '' | *[!$3]*) die "$1 is '$2': $4";; esac; }
plain EDGE_BIND "$BIND" '0-9a-fA-F.:' 'an address'
[ "$BIND" != 0.0.0.0 ] || die "EDGE_BIND is 0.0.0.0: name the address that operators know"
plain EDGE_ADDRESS "$ADDRESS" '0-9a-fA-F.:' 'an address'
plain EDGE_PORT "$PORT" 0-9 'a port'
plain EDGE_CHILDREN "$CHILDREN" 0-9 'a number of processes'
plain EDGE_LOG "$LOG" 0-9- "Kamailio's debug level"
plain EDGE_KEY "$KEY" 'A-Za-z0-9_-' "letters, digits, '-' and '_'"
plain EDGE_TLS_PORT "$TLS_PORT" 0-9 'a port'
mkdir -p "$HOME_"
umask 077
if [ -n "$TLS_CERT$TLS_KEY$TLS_CA" ]; then
  for name in TLS_CERT TLS_KEY TLS_CA; do
    [ -r "${!name}" ] || die "EDGE_$name is '${!name}': a file that can be read is needed"
    plain "EDGE_$name" "${!name}" 'A-Za-z0-9_./-' "letters, digits and '_./-'"
  done
  [ -e "$MODULES/tls.so" ] || die "TLS needs Debian's kamailio-tls-modules"
  printf '[%s]\nmethod = TLSv1.2+\ncertificate = %s\nprivate_key = %s\n' server:default "$TLS_CERT" "$TLS_KEY" client:default "$TLS_CERT" "$TLS_KEY" > "$TLS_CONFIG"
  printf 'verify_certificate = yes\nrequire_certificate = yes\nca_list = %s\n' "$TLS_CA" >> "$TLS_CONFIG"
  WITH_TLS=yes
fi
networks() { local network; for network in ${2//,/ }; do plain "$3" "$network" '0-9a-fA-F.:/' 'addresses or networks, with commas'; echo "$1 ${network%/*} $(mask "$network")"; done; }
mask() { case $1 in */*) echo "${1#*/}";; *:*) echo 128;; *) echo 32;; esac; }
{ networks 1 "$EDGE_DIALERS" EDGE_DIALERS; networks 2 "${EDGE_OPERATORS:-}" EDGE_OPERATORS; } > "$ADDRESSES"
config=$(<"$HERE/kamailio.cfg")
for name in BIND PORT ADDRESS ADVERTISE ADDRESSES CHILDREN LOG KEY MODULES TLS_PORT TLS_ADVERTISE TLS_CONFIG; do config=${config//@$name@/${!name}}; done
printf '%s\n' "$config" > "$HOME_/kamailio.cfg"
exec "$KAMAILIO" ${WITH_TLS:+-A WITH_TLS} -DD -E -f "$HOME_/kamailio.cfg" -P "$HOME_/pid" -Y "$HOME_"
