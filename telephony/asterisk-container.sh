#!/bin/bash
# A dialer in production: renders the templates and becomes Asterisk. All that it keeps is below /var/lib/ghanti-dialer.
#   ARI_PASSWORD   required: letters, digits, '-', '_' and '.'
#   ARI_USER                     (ghanti)
#   ARI_BIND, HTTP_PORT          ARI on loopback or on a private tunnel (127.0.0.1, 8088)
#   SIP_BIND, SIP_PORT           where SIP listens, IPv4 or IPv6 (0.0.0.0, 5060; TLS takes the next port)
#   SIP_DSCP                     the DSCP of SIP (24)
#   LOST_SECONDS, LOST_SOUND     how long answered calls wait for a server that has died, and a wav file that they hear then (as the product's settings say)
#   RTP                          first-last RTP port (10000-19999)
#   SIP_ADDRESS, LOCAL_NETS      behind NAT: the public address; networks that are not beyond it, with commas
#   ARI_TLS_BIND, ARI_TLS_CERT, ARI_TLS_KEY   ARI over TLS for an engine on another machine
#   SIP_CA                       a file of authorities for operators' TLS, beside the machine's own
#   SIP_CERTS                    a folder of certificates that trunks over TLS can show to operators, each NAME.crt with its NAME.key
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${ARI_PASSWORD:?ARI_PASSWORD is required}"
export VAR=${VAR:-/var/lib/ghanti-dialer} RUN=${RUN:-/var/lib/ghanti-dialer/run} DATA=${DATA:-/usr/share/asterisk}
export ARI_USER=${ARI_USER:-ghanti} ARI_PASSWORD HTTP_PORT=${HTTP_PORT:-8088} SIP_BIND=${SIP_BIND:-0.0.0.0} SIP_PORT=${SIP_PORT:-5060} RTP=${RTP:-10000-19999}
if [ -z "${MODULES:-}" ]; then
  for MODULES in /usr/lib/*/asterisk/modules /usr/lib/asterisk/modules; do [ ! -e "$MODULES/chan_pjsip.so" ] || break; done
fi
[ -e "$MODULES/chan_pjsip.so" ] || { echo "no chan_pjsip.so in $MODULES: set MODULES" >&2; exit 1; }
export MODULES
umask 077
rm -rf "$VAR/etc.new"
ETC=$VAR/etc "$HERE/render.sh" dialer "$VAR/etc.new"
rm -rf "$VAR/etc"; mv "$VAR/etc.new" "$VAR/etc"
rm -f "$RUN"/asterisk.pid "$RUN"/asterisk.ctl
# Warnings and errors, shown as the container's log. At each start, and at 20 MB, the old ones go to messages.log.1; five are kept.
LOG=$VAR/log/messages.log LOG_MAX=${LOG_MAX:-20000000}
rotate() { local n; for n in 4 3 2 1; do [ ! -e "$LOG.$n" ] || mv "$LOG.$n" "$LOG.$((n + 1))"; done; mv "$LOG" "$LOG.1"; : > "$LOG"; }
[ ! -s "$LOG" ] || rotate
touch "$LOG"
tail -n +1 -F "$LOG" &
while sleep 60; do
  [ "$(stat -c %s "$LOG")" -le "$LOG_MAX" ] || { rotate; "${ASTERISK:-asterisk}" -C "$VAR/etc/asterisk.conf" -rx 'logger reload' > /dev/null || true; }
done &
# Sounds come from the product itself, and their addresses are signed: never by way of the machine's proxy.
export no_proxy='*'
exec "${ASTERISK:-asterisk}" -C "$VAR/etc/asterisk.conf" -f -q
