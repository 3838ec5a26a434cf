#!/bin/bash
# Makes a real Asterisk run on this machine for development and tests, without Docker and without touching the host.
#
#   asterisk-setup.sh [dialer] [operator]      default: both
#
#   dialer    the Asterisk which the product drives over ARI (no trunk is configured: the product pushes them)
#   operator  a second Asterisk which plays the telephone network: the called number's last two digits decide
#             what happens (table in etc/operator/extensions.conf)
#
# An installed `asterisk` is used where there is one. Otherwise Debian packages of a suite that has it are downloaded
# through an isolated apt root (no root needed, the host's apt and dpkg databases are only read), unpacked into
# $AST_HOME/root and run through that folder's own dynamic loader, so the host's libraries are neither used nor changed.
#
# Safe to call again: a healthy daemon whose configuration did not change is left alone, one that was killed is
# started again (stale pid and socket files are removed), one whose configuration changed is restarted.
# What it began is stopped when it fails: both run afterwards, or what ran before.
# Everything binds to 127.0.0.1. The configuration comes from etc/{common,dialer,operator}; @NAME@ is filled in here.
#
# Standard output: the settings as KEY=VALUE lines (also kept in $AST_HOME/env). Standard error: what is going on.
#
#   AST_HOME           where everything lives                 ($PWD/.ghanti/asterisk)
#   AST_ROOT           the downloaded program, shared by any number of AST_HOMEs   ($AST_HOME/root)
#   AST_PORTS=free     free ports instead of those below, kept while the daemons run; a thousand for RTP
#   AST_PARENT         a process id: when it has ended, by whatever means, the daemons end too
#   AST_HTTP_PORT      dialer: ARI, HTTP and WebSocket        (8088; AMI takes the port 1000 higher)
#   AST_SIP_PORT       dialer: SIP, UDP and TCP; TLS takes the next one (5160)
#   AST_RTP            dialer: first-last RTP port            (20000-29999)
#   OPERATOR_SIP_PORT  operator: SIP, UDP and TCP; TLS, where it has a certificate, takes the next one (5170)
#   OPERATOR_RTP       operator: first-last RTP port          (30000-39999)
#   OPERATOR_RING      operator: seconds of ringing before an ordinary answer (1)
#   ARI_TLS_BIND, ARI_TLS_CERT, ARI_TLS_KEY, SIP_CA, SIP_CERTS, SIP_CERT, SIP_KEY, SIP_CLIENT_CA   TLS, as render.sh has it (none)
#   ARI_USER, ARI_PASSWORD                                    (ghanti, a random one kept in $AST_HOME/ari-password)
#   AST_BIN, AST_MODULES, AST_DATA   an installed Asterisk in an unusual place; AST_BIN=none forces the download
#   AST_SUITES         Debian suites tried in order           (sid forky experimental)
#   AST_MIRROR         Debian mirror                          (the one in this machine's apt configuration)
#   AST_KEYRING        its key                                (debian-archive-keyring)
#   AST_ALL_PACKAGES=1 also unpack the packages in etc/skip-packages
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${AST_HOME:=$PWD/.ghanti/asterisk}" "${OPERATOR_RING:=1}" "${ARI_USER:=ghanti}"
: "${AST_SUITES:=sid forky experimental}" "${AST_KEYRING:=/usr/share/keyrings/debian-archive-keyring.gpg}"
mkdir -p "$AST_HOME"; AST_HOME=$(cd "$AST_HOME" && pwd)
: "${AST_ROOT:=$AST_HOME/root}"; mkdir -p "$(dirname "$AST_ROOT")"; AST_ROOT=$(cd "$(dirname "$AST_ROOT")" && pwd)/$(basename "$AST_ROOT")
INSTANCES=("$@"); [ $# -gt 0 ] || INSTANCES=(dialer operator)
for i in "${INSTANCES[@]}"; do case $i in dialer|operator) ;; *) echo "unknown instance '$i': dialer or operator" >&2; exit 2;; esac; done

say() { printf '[asterisk %5.1f s] %s\n' "$(elapsed)" "$*" >&2; }
elapsed() { local now=${EPOCHREALTIME/[.,]/}; printf '%d.%d' $(((now - T0) / 1000000)) $(((now - T0) / 100000 % 10)); }
T0=${EPOCHREALTIME/[.,]/}
die() { echo "asterisk-setup: $*" >&2; exit 1; }
[ "$(uname -s)" = Linux ] || die "this runs on Linux only"

exec 9>"$AST_HOME/lock"; flock -w 300 9 || die "another asterisk-setup has held $AST_HOME/lock for 5 minutes"

pid_of() {            # the daemon's pid, when it lives and is ours (a recycled pid is not)
  local p; p=$(cat "$(cat "$AST_HOME/$1/run-folder" 2>/dev/null)/asterisk.pid" 2>/dev/null) && [ -n "$p" ] && kill -0 "$p" 2>/dev/null \
    && tr '\0' '\n' 2>/dev/null < <(cat "/proc/$p/cmdline" 2>/dev/null) | grep -qxF "$AST_HOME/$1/etc/asterisk.conf" && echo "$p"; }
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null || grep -qi ": [0-9A-F]*:$(printf %04X "$1") " /proc/net/udp /proc/net/udp6; }

# Ports: as asked; else as they were while a daemon runs; else free ones, or the usual ones.
TAKEN=/tmp/ghanti-ports-$(id -u)   # the machine's, whatever TMPDIR is
lock_ports() { mkdir -p "$TAKEN"; exec 7>>"$TAKEN/lock"; flock -w 60 7 || true; }
# A daemon listens seconds after its port was chosen. Meanwhile others choose theirs: a line of `chosen` keeps each for its home while that exists.
forget_ports() {
  local port home; lock_ports
  while read -r port home; do [ "$home" != "$AST_HOME" ] && [ -d "$home" ] && echo "$port $home"; done \
    < <(cat "$TAKEN/chosen" 2>/dev/null) > "$TAKEN/chosen.new" || true
  mv "$TAKEN/chosen.new" "$TAKEN/chosen"; exec 7>&-
}
free_port() {         # each number is of a port this much higher: SIP takes three in a row, AMI one 1000 above
  local p n; lock_ports
  for _ in $(seq 200); do
    p=$((10000 + RANDOM % 8000))
    for n in "$@"; do ! grep -q "^$((p + n)) " "$TAKEN/chosen" && ! listens $((p + n)) || continue 2; done
    for n in "$@"; do echo "$((p + n)) $AST_HOME"; done >> "$TAKEN/chosen"
    echo "$p"; return
  done; die "no free port between 10000 and 18999"
}
if [ -e "$AST_HOME/ports" ] && { [ -n "$(pid_of dialer)" ] || [ -n "$(pid_of operator)" ]; }; then . "$AST_HOME/ports"; fi
# RTP for the calls of a dialer that was killed goes on for minutes, and Asterisk keeps to the first source that it hears: whoever got such a port next would
# be deaf to its own caller's keys. So no two that live at once share a port, as long as there are thousands left.
rtp_ports() {
  local n line; lock_ports
  n=$(grep -slxF "$AST_HOME $1" "$TAKEN"/[0-9]* | head -n 1) || true; n=${n##*/}
  if [ -z "$n" ]; then
    for n in $(seq 19 31 | shuf); do
      line=$(cat "$TAKEN/$n" 2>/dev/null) || true
      [ -n "$line" ] && [ -d "${line% *}" ] || break
    done
    echo "$AST_HOME $1" > "$TAKEN/$n"
  fi
  echo "${n}000-${n}999"
}
if [ "${AST_PORTS:-}" = free ]; then
  [ -n "${KEPT_SIP:-}" ] || forget_ports
  : "${AST_RTP:=$(rtp_ports dialer)}" "${OPERATOR_RTP:=$(rtp_ports operator)}"
  : "${AST_HTTP_PORT:=${KEPT_HTTP:-$(free_port 0 1000)}}" "${AST_SIP_PORT:=${KEPT_SIP:-$(free_port 0 1 2)}}" "${OPERATOR_SIP_PORT:=${KEPT_OPERATOR:-$(free_port 0 1 2)}}"
else
  : "${AST_HTTP_PORT:=8088}" "${AST_SIP_PORT:=5160}" "${OPERATOR_SIP_PORT:=5170}" "${AST_RTP:=20000-29999}" "${OPERATOR_RTP:=30000-39999}"
fi
printf 'KEPT_HTTP=%s KEPT_SIP=%s KEPT_OPERATOR=%s\n' "$AST_HTTP_PORT" "$AST_SIP_PORT" "$OPERATOR_SIP_PORT" > "$AST_HOME/ports"

# ------------------------------------------------------------------------------------------------- 1. the program
R=$AST_ROOT
exec 8>"$R.lock"; flock -w 600 8 || die "another asterisk-setup has held $R.lock for 10 minutes"

# Downloads and unpacks Asterisk of one Debian suite into $R; returns 1 when the suite has none that can be installed.
fetch_suite() {
  local suite=$1 a=$R.apt mirror=${AST_MIRROR:-} packages from
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' 2>/dev/null \
    | grep -v -e '-security' | head -n 1) || true
  # no lists yet: whose mirror each is must be guessed
  [ -n "$mirror" ] || mirror=$(apt-get update --print-uris 2>/dev/null | sed -n "s#^'\(http[^']*/debian/\)dists/.*#\1#p" | head -n 1) || true
  [ -n "$mirror" ] || die "no Debian mirror in this machine's apt configuration (run apt-get update first, or set AST_MIRROR)"
  [ -r "$AST_KEYRING" ] || die "no key to check the packages with: $AST_KEYRING (package debian-archive-keyring, or set AST_KEYRING)"
  rm -rf "$a"; mkdir -p "$a"/etc/apt/{apt.conf.d,preferences.d,trusted.gpg.d} "$a"/var/lib/apt/lists/partial \
    "$a"/var/cache/apt/archives/partial "$a"/var/lib/dpkg "$a"/debs; : > "$a/var/lib/dpkg/status"
  echo "deb [signed-by=$AST_KEYRING] $mirror $suite main" > "$a/etc/apt/sources.list"
  [ "$suite" != experimental ] || echo "deb [signed-by=$AST_KEYRING] $mirror sid main" >> "$a/etc/apt/sources.list"
  { apt-config dump Acquire | grep -i '::proxy' || true   # the machine's own proxy settings hold here too
    cat <<E
Dir "$a";
Dir::State::status "$a/var/lib/dpkg/status";
Dir::Etc::sourceparts "-";
APT::Architecture "$ARCH"; APT::Architectures {"$ARCH";};
APT::Install-Recommends "false"; APT::Sandbox::User "";
Acquire::Languages "none"; Acquire::Check-Valid-Until "false"; Acquire::Retries "3";
E
  } > "$a/apt.conf"
  export APT_CONFIG=$a/apt.conf
  apt-get -qq update || { unset APT_CONFIG; return 1; }
  packages=$(apt-get install -s --no-install-recommends asterisk 2>/dev/null | awk '/^Inst /{print $2}') || true
  [ -n "$packages" ] || { unset APT_CONFIG; return 1; }
  [ -n "${AST_ALL_PACKAGES:-}" ] || packages=$(printf '%s\n' $packages | grep -Evf <(grep -v '^#' "$HERE/etc/skip-packages"))
  say "downloading $(wc -w <<<"$packages") packages of $suite"
  ( cd "$a/debs" && apt-get -qq download $packages ) || { unset APT_CONFIG; return 1; }
  unset APT_CONFIG
  rm -rf "$R.tmp"; mkdir -p "$R.tmp"/usr/{bin,sbin,lib,lib64}
  for d in bin sbin lib lib64; do ln -s "usr/$d" "$R.tmp/$d"; done       # old suites still ship /lib: put both in one place
  printf '%s\0' "$a"/debs/*.deb | xargs -0 -P "$(nproc)" -n 6 sh -c 'for f; do dpkg-deb --fsys-tarfile "$f" | tar -x -C "$0" -f - \
    --keep-directory-symlink --no-same-owner --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale || exit 255; done' "$R.tmp"
  from=$(du -sm "$a/debs" | cut -f 1)
  [ -e "$R.tmp/usr/share/asterisk/sounds/en" ] || ln -s en_US_f_Allison "$R.tmp/usr/share/asterisk/sounds/en"   # a maintainer script's work
  echo "$suite" > "$R.tmp/.suite"; rm -rf "$a" "$R"; mv "$R.tmp" "$R"
  say "unpacked Asterisk of $suite: $from MB of packages, $(du -sm "$R" | cut -f 1) MB on disk"
}

use_downloaded() {
  local s lib triplet
  ARCH=$(dpkg --print-architecture 2>/dev/null) || die "no Asterisk is installed, and this is not a Debian-like machine"
  if [ ! -e "$R/.suite" ]; then
    for s in $AST_SUITES; do say "no Asterisk here: trying Debian $s"; ! fetch_suite "$s" || break; done
    [ -e "$R/.suite" ] || die "no suite of '$AST_SUITES' has an Asterisk that can be installed"
  fi
  AST_MODULES=$(dirname "$(find "$R/usr/lib" -name chan_pjsip.so | head -n 1)"); AST_DATA=$R/usr/share/asterisk
  lib=$(dirname "$(dirname "$AST_MODULES")"); triplet=$(basename "$lib")
  LOADER=$(find "$R/usr/lib" -name 'ld-linux*.so.*' | head -n 1); LIBRARIES=$lib:$lib/asterisk:$R/usr/lib
  # Every library must come from the folder: none missing, none taken from the host. A list that skips too much is caught here.
  # Looked at once for a list of modules: what was unpacked stays as it is.
  local wrong modules; modules=$(MODULES=$AST_MODULES "$HERE/render.sh" modules)
  if [ "$modules" != "$(cat "$R/.checked" 2>/dev/null)" ]; then
    wrong=$(for f in "$R/usr/sbin/asterisk" $(sed "s#^#$AST_MODULES/#; s#\$#.so#" <<<"$modules"); do
      LD_TRACE_LOADED_OBJECTS=1 "$LOADER" --inhibit-cache --library-path "$LIBRARIES" "$f" 2>&1 \
        | grep -E 'not found|error while|cannot open|=> /(usr/)?lib' | sed "s#^#${f##*/}: #" || true; done | sort -u)
    if [ -n "$wrong" ]; then
      echo "$wrong" >&2
      [ -z "${AST_ALL_PACKAGES:-}" ] || die "these libraries are missing"
      say "libraries are missing: downloading every package"; rm -rf "$R"; AST_ALL_PACKAGES=1; export AST_ALL_PACKAGES; use_downloaded; return
    fi
    { echo "$modules" > "$R/.checked"; } 2>/dev/null || true
  fi
  mkdir -p "$AST_HOME/bin"; AST_BIN=$AST_HOME/bin/asterisk
  cat > "$AST_BIN.tmp" <<E
#!/bin/sh
export OPENSSL_MODULES='$R/usr/lib/$triplet/ossl-modules'
exec '$LOADER' --inhibit-cache --library-path '$LIBRARIES' '$R/usr/sbin/asterisk' "\$@"
E
  chmod +x "$AST_BIN.tmp"; mv "$AST_BIN.tmp" "$AST_BIN"
}

use_installed() {
  local d
  [ -n "${AST_MODULES:-}" ] || for d in /usr/lib/*/asterisk/modules /usr/lib/asterisk/modules /usr/lib64/asterisk/modules /usr/local/lib/asterisk/modules; do
    [ ! -e "$d/chan_pjsip.so" ] || { AST_MODULES=$d; break; }; done
  [ -e "${AST_MODULES:-}/chan_pjsip.so" ] || die "$AST_BIN has no chan_pjsip.so: set AST_MODULES to its module folder"
  [ -n "${AST_DATA:-}" ] || for d in /usr/share/asterisk /usr/local/share/asterisk /var/lib/asterisk; do
    [ ! -d "$d" ] || { AST_DATA=$d; break; }; done
  : "${AST_DATA:=$AST_HOME/data}"; mkdir -p "$AST_DATA" 2>/dev/null || true
}

if [ "${AST_BIN:-}" != none ] && { [ -n "${AST_BIN:-}" ] || AST_BIN=$(command -v asterisk); }; then use_installed; else use_downloaded; fi
exec 8>&-

# ------------------------------------------------------------------------------------------- 2. the configuration
umask 077
if [ -z "${ARI_PASSWORD:-}" ]; then
  [ -s "$AST_HOME/ari-password" ] || od -An -N 18 -tx1 /dev/urandom | tr -d ' \n' > "$AST_HOME/ari-password"
  ARI_PASSWORD=$(cat "$AST_HOME/ari-password")
fi

# Fills the templates in, to $AST_HOME/<instance>/etc; returns 0 when something changed.
configure() {
  local home=$AST_HOME/$1 run=$AST_HOME/$1/run cache=$AST_HOME/$1/var/cache elsewhere
  # a Unix socket's path is at most 107 bytes, and Asterisk finds no file that it fetched whose path is not much longer: a deep project folder gets both elsewhere
  elsewhere=$(dirname "$(mktemp -u)")/asterisk-$(id -u)-$(printf %s "$home" | cksum | cut -d ' ' -f 1)
  [ ${#elsewhere} -le 74 ] || elsewhere=/tmp/$(basename "$elsewhere")
  [ ${#run} -le 88 ] || run=$elsewhere
  [ ${#cache} -le 80 ] || cache=$elsewhere/cache
  mkdir -p "$home/var" "$run"; chmod 700 "$run"
  [ "$cache" = "$home/var/cache" ] || { mkdir -p "$cache"; chmod 700 "$elsewhere"; }
  echo "$run" > "$home/run-folder"
  rm -rf "$home/etc.new"
  VAR=$home/var RUN=$run CACHE=$cache MODULES=$AST_MODULES DATA=$AST_DATA OPERATOR_RING=$OPERATOR_RING ARI_USER=$ARI_USER ARI_PASSWORD=$ARI_PASSWORD \
    SIP_PORT=$([ "$1" = dialer ] && echo "$AST_SIP_PORT" || echo "$OPERATOR_SIP_PORT") RTP=$([ "$1" = dialer ] && echo "$AST_RTP" || echo "$OPERATOR_RTP") \
    HTTP_PORT=$([ "$1" = dialer ] && echo "$AST_HTTP_PORT" || echo 0) ETC=$home/etc "$HERE/render.sh" "$1" "$home/etc.new" 9>&- || exit 1   # render.sh says why; errexit does not hold inside a condition
  if diff -rq "$home/etc.new" "$home/etc" >/dev/null 2>&1; then rm -rf "$home/etc.new"; return 1; fi
  rm -rf "$home/etc"; mv "$home/etc.new" "$home/etc"
}

# ---------------------------------------------------------------------------------------------------- 3. the daemon
cli() { timeout 10 "$AST_BIN" -C "$AST_HOME/$1/etc/asterisk.conf" -rx "$2" 2>/dev/null; }
ari_answers() {       # GET /ari/asterisk/ping without needing curl
  ( exec 3<>"/dev/tcp/127.0.0.1/$AST_HTTP_PORT" && printf 'GET /ari/asterisk/ping HTTP/1.1\r\nHost: dialer\r\nAuthorization: Basic %s\r\nConnection: close\r\n\r\n' \
      "$(printf %s "$ARI_USER:$ARI_PASSWORD" | base64 -w 0)" >&3 && IFS= read -r -t 5 line <&3 && [[ $line == *' 200 '* ]] ) 2>/dev/null; }
healthy() { [ -n "$(pid_of "$1")" ] && cli "$1" 'core show version' | grep -q '^Asterisk' && { [ "$1" = operator ] || ari_answers; }; }

BEGAN=()
undo() {
  local failed=$?
  [ "$failed" -ne 0 ] && [ "${#BEGAN[@]}" -gt 0 ] || exit "$failed"
  AST_HOME=$AST_HOME "$HERE/asterisk-stop.sh" "${BEGAN[@]}" >/dev/null 2>&1 9>&- || true   # the reason stays the last line
  kill -KILL $(jobs -rp) 2>/dev/null || true   # one that had no pid file yet
  exit "$failed"
}
trap undo EXIT

start() {
  local instance=$1 run pid sip answers=; run=$(cat "$AST_HOME/$1/run-folder")
  rm -f "$run"/asterisk.pid "$run"/asterisk.ctl
  if [ "$instance" = dialer ]; then sip=$AST_SIP_PORT; ! listens "$AST_HTTP_PORT" || die "port $AST_HTTP_PORT is taken: set AST_HTTP_PORT"; else sip=$OPERATOR_SIP_PORT; fi
  ! listens "$sip" || die "port $sip is taken: set $([ "$instance" = dialer ] && echo AST_SIP_PORT || echo OPERATOR_SIP_PORT)"
  ulimit -n 65535 2>/dev/null || ulimit -n "$(ulimit -Hn)"
  ( cd "$AST_HOME/$instance/var" && exec setsid env no_proxy='*' "$AST_BIN" -C "$AST_HOME/$instance/etc/asterisk.conf" -f -q \
      </dev/null >>"$AST_HOME/$instance/var/log/stdout" 2>&1 9>&- ) &
  pid=$!; BEGAN+=("$instance")
  for _ in $(seq 300); do
    kill -0 "$pid" 2>/dev/null || { tail -n 20 "$AST_HOME/$instance/var/log/stdout" "$AST_HOME/$instance/var/log/messages.log" >&2 2>/dev/null; die "the $instance died"; }
    cli "$instance" 'core waitfullybooted' | grep -q 'fully booted' && break; sleep 0.1
  done
  # on a full machine one that has booted may answer late
  for _ in $(seq 30); do ! healthy "$instance" || { answers=1; break; }; kill -0 "$pid" 2>/dev/null || break; sleep 0.5; done
  [ -n "$answers" ] || { tail -n 20 "$AST_HOME/$instance/var/log/messages.log" >&2; die "the $instance did not come up"; }
  ! tail -n 100 "$AST_HOME/$instance/var/log/messages.log" | sed -n '/ built by /h;/ built by /!H;${x;p}' | grep -q 'Error loading module' || say "some modules of the $instance did not load: see its messages.log"
  listens "$sip" || { tail -n 20 "$AST_HOME/$instance/var/log/messages.log" >&2; die "the $instance does not listen for SIP on 127.0.0.1:$sip"; }
}

for i in "${INSTANCES[@]}"; do
  changed=; ! configure "$i" || changed=1
  if [ -z "$changed" ] && healthy "$i"; then say "$i runs already, pid $(pid_of "$i")"; continue; fi
  [ -z "$(pid_of "$i")" ] || AST_HOME=$AST_HOME "$HERE/asterisk-stop.sh" "$i" >&2 9>&-
  start "$i"; say "$i runs: $(cli "$i" 'core show version' | head -n 1 | cut -d ' ' -f 1,2), pid $(pid_of "$i")"
done
if [ -n "${AST_PARENT:-}" ] && [ "$(cat "$AST_HOME/parent" 2>/dev/null)" != "$AST_PARENT" ]; then
  echo "$AST_PARENT" > "$AST_HOME/parent"    # watched by a process of its own
  ( export AST_HOME; exec setsid bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; exec "$2"' asterisk-watch "$AST_PARENT" "$HERE/asterisk-stop.sh" \
      </dev/null >/dev/null 2>&1 9>&- ) & disown
fi
cat > "$AST_HOME/env" <<E
ARI_URL=http://127.0.0.1:$AST_HTTP_PORT/ari
ARI_USER=$ARI_USER
ARI_PASSWORD=$ARI_PASSWORD
DIALER_SIP=127.0.0.1:$AST_SIP_PORT
DIALER_RECORDINGS=$AST_HOME/dialer/var/spool/recording
OPERATOR_SIP=127.0.0.1:$OPERATOR_SIP_PORT
OPERATOR_HEARD=$AST_HOME/operator/var/spool/heard
OPERATOR_CALLS=$AST_HOME/operator/var/log/cdr-csv/Master.csv
OPERATOR_TIMES=$AST_HOME/operator/var/log/cdr-custom/times.csv
E
cat "$AST_HOME/env"
