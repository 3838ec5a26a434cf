#!/bin/bash
# Makes Asterisk's configuration out of the templates in etc/, for the bring-up without Docker and for the container alike.
#
#   render.sh dialer|operator FOLDER    writes the files into FOLDER and makes the folders below $VAR which Asterisk expects
#   render.sh modules                   lists every module that the templates name and this Asterisk has
#
#   MODULES          folder of Asterisk's modules
#   DATA, VAR, RUN   Asterisk's data, state and sockets
#   CACHE            sounds that it fetched over HTTP; at most 80 characters: it reads the path of a fetched file into a buffer as long as the address  ($VAR/cache)
#   ETC              where the files will lie; at most 220 characters, or Asterisk does not find them  (FOLDER)
#   SIP_BIND, SIP_PORT   where SIP listens, an IPv4 or IPv6 address; TLS takes the next port  (127.0.0.1)
#   SIP_DSCP         dialer: the DSCP of SIP over all trunks, which share the sockets; that of RTP is each trunk's  (24)
#   LOST_SECONDS     dialer: how long answered calls wait for a server that has died (as the product's settings say)
#   LOST_SOUND       dialer: what they hear then, before they are hung up: a wav file of 8 kHz, mono, 16 bits (what the product's settings say)
#   SIP_CA           dialer: a file of authorities for operators' TLS, beside the machine's own (none)
#   SIP_CERTS        dialer: a folder of certificates that trunks over TLS can show, each NAME.crt with its NAME.key; TLS takes one more port for each (none)
#   SIP_CERT, SIP_KEY    operator: SIP over TLS with this certificate (none)
#   SIP_CLIENT_CA    operator: with these, SIP over TLS on one more port, for those whose certificate this file's authorities signed (none)
#   RTP              first-last RTP port
#   SIP_ADDRESS      behind NAT: the public address which operators are told; LOCAL_NETS: networks that are not beyond it, with commas
#   ARI_BIND, HTTP_PORT  ARI over HTTP; loopback or a private tunnel (127.0.0.1). AMI takes the port 1000 higher, on loopback
#   ARI_TLS_BIND     address:port of ARI over TLS for an engine on another machine; ARI_TLS_CERT, ARI_TLS_KEY: its files (none)
#   ARI_USER, ARI_PASSWORD   letters, digits, '-', '_' and '.'
#   OPERATOR_RING    operator: seconds of ringing before an ordinary answer (1)
#   BENCH            dialer: 1 for the dialplan and the modules of bench/telephony.ts, which no dialer of production has (none)
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
die() { echo "render: $*" >&2; exit 1; }

# The modules which etc/<folder>/modules.list names and this Asterisk has.
modules() {
  local folder m
  for folder in "$@"; do
    sed 's/#.*//' "$HERE/etc/$folder/modules.list" | tr -s ' \t' '\n\n' | while read -r m; do
      [ -z "$m" ] || [ ! -e "$MODULES/$m.so" ] || echo "$m"
    done
  done
}
[ "${1:-}" != modules ] || { modules common dialer operator bench; exit; }
[ $# -eq 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

INSTANCE=$1 NEW=$2
: "${ETC:=$NEW}" "${SIP_BIND:=127.0.0.1}" "${SIP_DSCP:=24}" "${LOST_SECONDS:=}" "${LOST_SOUND:=}" "${SIP_ADDRESS:=}" "${LOCAL_NETS:=}" "${OPERATOR_RING:=1}" "${ARI_BIND:=127.0.0.1}" "${ARI_TLS_BIND:=}" "${ARI_TLS_CERT:=}" "${ARI_TLS_KEY:=}" "${SIP_CA:=}" "${SIP_CERTS:=}" "${SIP_CERT:=}" "${SIP_KEY:=}" "${SIP_CLIENT_CA:=}"
: "${MODULES:?}" "${DATA:?}" "${VAR:?}" "${CACHE:=$VAR/cache}" "${RUN:?}" "${SIP_PORT:?}" "${RTP:?}" "${HTTP_PORT:?}"
case $INSTANCE in dialer) ENTITY=02:00:00:00:00:01;; operator) ENTITY=02:00:00:00:00:02;; *) die "unknown instance '$INSTANCE': dialer or operator";; esac
for name in ETC VAR RUN CACHE MODULES DATA SIP_BIND SIP_ADDRESS LOCAL_NETS OPERATOR_RING ARI_BIND ARI_TLS_BIND ARI_TLS_CERT ARI_TLS_KEY LOST_SOUND SIP_CA SIP_CERTS SIP_CERT SIP_KEY SIP_CLIENT_CA; do
  [[ ${!name} != *[\#\&\\\;]* ]] || die "$name: '${!name}' must not contain any of # & \\ ;"; done
[ "$INSTANCE" = operator ] || [ ${#CACHE} -le 80 ] || die "CACHE: '$CACHE' is longer than 80 characters: choose a shorter VAR, or Asterisk will not find the sounds that it fetches"
[ ${#ETC} -le 220 ] || die "ETC: '$ETC' is longer than 220 characters: Asterisk would not find its configuration there; choose a folder that is not so deep"
[[ $RTP =~ ^([0-9]+)-([0-9]+)$ ]] || die "RTP: '$RTP' must look like 20000-29999"
RTP_FIRST=${BASH_REMATCH[1]} RTP_LAST=${BASH_REMATCH[2]}
[ "$RTP_FIRST" -lt "$RTP_LAST" ] && [ "$RTP_LAST" -le 65535 ] || die "RTP: '$RTP' is no range of ports"
for name in SIP_PORT HTTP_PORT; do [[ ${!name} =~ ^[0-9]+$ ]] && [ "${!name}" -le 64534 ] || die "$name: '${!name}' is no port"; done
[[ $SIP_DSCP =~ ^[0-9]{1,2}$ ]] && [ "$SIP_DSCP" -le 63 ] || die "SIP_DSCP: '$SIP_DSCP' is no DSCP: 0 to 63"
[[ $LOST_SECONDS =~ ^([1-9][0-9]{0,2})?$ ]] || die "LOST_SECONDS: '$LOST_SECONDS' is no number of seconds from 1 to 999"
[[ $LOST_SOUND != *[\,\|]* ]] && { [ -z "$LOST_SOUND" ] || [[ $LOST_SOUND == *.wav && -r $LOST_SOUND ]]; } || die "LOST_SOUND: '$LOST_SOUND' must be a wav file that can be read, without a comma or | in its name"
# An IPv6 address is in brackets where a port follows it, and nowhere else.
SIP_BIND=${SIP_BIND#[} SIP_BIND=${SIP_BIND%]}; [[ $SIP_BIND != *:* ]] || SIP_BIND="[$SIP_BIND]"
ARI_BIND=${ARI_BIND#[} ARI_BIND=${ARI_BIND%]}
for name in ARI_USER ARI_PASSWORD; do
  [ "$INSTANCE" = operator ] || [[ ${!name:-} =~ ^[A-Za-z0-9._-]+$ ]] || die "$name: letters, digits, '-', '_' and '.' only, and not empty"; done
[ -z "$ARI_TLS_BIND" ] || { [ -r "$ARI_TLS_CERT" ] && [ -r "$ARI_TLS_KEY" ]; } || die "ARI_TLS_BIND needs ARI_TLS_CERT and ARI_TLS_KEY, files that can be read"
[ -z "$SIP_CA" ] || [ -r "$SIP_CA" ] || die "SIP_CA: '$SIP_CA' cannot be read"
[ -z "$SIP_CERTS" ] || [ -d "$SIP_CERTS" ] || die "SIP_CERTS: '$SIP_CERTS' is no folder"
[ -z "$SIP_CLIENT_CA" ] || { [ -r "$SIP_CLIENT_CA" ] && [ -n "$SIP_CERT" ]; } || die "SIP_CLIENT_CA must be a file that can be read, beside SIP_CERT and SIP_KEY"
[ -z "$SIP_CERT" ] || { [ -r "$SIP_CERT" ] && [ -r "$SIP_KEY" ]; } || die "SIP_CERT and SIP_KEY must be files that can be read"

mkdir -p "$NEW" "$VAR"/{log/{cdr-csv,cdr-custom,cel-custom},spool/{outgoing,recording/witness,tmp,monitor,heard},lib/{keys,moh,documentation}} "$CACHE" "$RUN"
ln -sfn ../../spool/recording/witness "$VAR/log/cel-custom/witness"      # the dialer's own record lies where ARI serves it
ln -sfn ../spool/recording/witness "$VAR/log/witness"      # and so does the log of SIP messages, which the product begins and ends

# A transport for each certificate that trunks can show.
client_certs=; client_port=$((SIP_PORT + 2))
for crt in "$SIP_CERTS"/*.crt; do
  [ -n "$SIP_CERTS" ] && [ -e "$crt" ] || continue
  name=$(basename "$crt" .crt); key=$SIP_CERTS/$name.key
  [[ $name =~ ^[a-z0-9-]{1,40}$ ]] || die "SIP_CERTS: '$name.crt' must be named by small letters, digits and hyphens, at most 40"
  [ -r "$crt" ] && [ -r "$key" ] || die "SIP_CERTS: '$name.crt' and '$name.key' must be files that can be read"
  client_certs+="[transport-tls-$name](tls)\\nbind = $SIP_BIND:$client_port\\ncert_file = $crt\\npriv_key_file = $key\\n"
  client_port=$((client_port + 1))
done

# @NAT@, @TLS@, @CA@, @OWN@ and @ASKS@ begin a line that holds only with NAT, ARI over TLS, authorities of its own, a SIP certificate of its own, and authorities of its callers.
local_nets=; for net in ${LOCAL_NETS//,/ }; do local_nets+="local_net = $net\\n"; done
fill() {
  sed -e "s#@NAT@#$([ -n "$SIP_ADDRESS" ] || echo ';')#; s#@TLS@#$([ -n "$ARI_TLS_BIND" ] || echo ';')#; s#@CA@#$([ -n "$SIP_CA" ] || echo ';')#; s#@OWN@#$([ -n "$SIP_CERT" ] || echo ';')#; s#@ASKS@#$([ -n "$SIP_CLIENT_CA" ] || echo ';')#; s#@LOCAL_NETS@#${local_nets%\\n}#; s#@CLIENT_CERTS@#${client_certs%\\n}#" \
    -e "s#@ETC@#$ETC#g; s#@VAR@#$VAR#g; s#@CACHE@#$CACHE#g; s#@RUN@#$RUN#g; s#@MODULES@#$MODULES#g; s#@DATA@#$DATA#g; s#@INSTANCE@#$INSTANCE#g; s#@ENTITY@#$ENTITY#g" \
    -e "s#@HTTP_PORT@#$HTTP_PORT#g; s#@AMI_PORT@#$((HTTP_PORT + 1000))#g; s#@ARI_USER@#${ARI_USER:-}#g; s#@ARI_PASSWORD@#${ARI_PASSWORD:-}#g" \
    -e "s#@ARI_BIND@#$ARI_BIND#g; s#@ARI_TLS_BIND@#$ARI_TLS_BIND#g; s#@ARI_TLS_CERT@#$ARI_TLS_CERT#g; s#@ARI_TLS_KEY@#$ARI_TLS_KEY#g; s#@SIP_CA@#$SIP_CA#g; s#@SIP_CERT@#$SIP_CERT#g; s#@SIP_KEY@#$SIP_KEY#g; s#@SIP_CLIENT_CA@#$SIP_CLIENT_CA#g; s#@RING@#$OPERATOR_RING#g" \
    -e "s#@SIP_BIND@#$SIP_BIND#g; s#@SIP_TOS@#$((10#$SIP_DSCP << 2))#g; s#@SIP_PORT@#$SIP_PORT#g; s#@SIP_TLS_PORT@#$((SIP_PORT + 1))#g; s#@SIP_ASKS_PORT@#$((SIP_PORT + 2))#g; s#@SIP_ADDRESS@#$SIP_ADDRESS#g" \
    -e "s#@LOST_SECONDS@#$LOST_SECONDS#g; s#@LOST_SOUND@#${LOST_SOUND%.wav}#g" \
    -e "s#@RTP_FIRST@#$RTP_FIRST#g; s#@RTP_LAST@#$RTP_LAST#g" "$1"
}
for file in "$HERE/etc/common"/*.conf "$HERE/etc/$INSTANCE"/*.conf; do fill "$file" > "$NEW/$(basename "$file")"; done
bench=; [ "$INSTANCE" != dialer ] || [ "${BENCH:-}" != 1 ] || bench=bench
[ -z "$bench" ] || fill "$HERE/etc/bench/extensions.conf" >> "$NEW/extensions.conf"
{ printf '[modules]\nautoload=no\n'; modules common "$INSTANCE" $bench | sed 's/^/load = /'; } > "$NEW/modules.conf"
# Asterisk warns about every file that a loaded module expects and does not find: an empty one means 'defaults'
for name in acl ccss cdr cel cli codecs dsp features indications manager musiconhold pjproject pjsip_notify res_parking sorcery stasis udptl websocket_client; do
  [ -e "$NEW/$name.conf" ] || : > "$NEW/$name.conf"
done
