import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'
import type { App } from '../app.ts'
import { isSameText } from '../lib/secrets.ts'
import type { HttpPorts } from './ports.ts'

const requestSeconds = new Histogram({
  name: 'ghanti_http_request_seconds',
  help: 'Time from request to answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})
const alertsOpen = new Gauge({
  name: 'ghanti_alerts_open',
  help: 'Alerts that nobody has cleared',
  labelNames: ['kind'],
})
let collecting = false

/** Serves /metrics on the main port if a token is set. METRICS_PORT serves it without a token, for a private network. */
export function metricsRoute(http: FastifyInstance, app: App, ports: HttpPorts): void {
  if (!collecting) collectDefaultMetrics()
  collecting = true
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    requestSeconds.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  const { metricsToken } = app.config
  http.get('/metrics', async (request, reply) => {
    if (metricsToken === null) return reply.callNotFound()
    if (!isSameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) return reply.code(401).send('')
    return reply.type(register.contentType).send(await metricsText(app, ports))
  })
}

export async function listenForMetrics(app: App, ports: HttpPorts): Promise<Server | null> {
  const { metricsPort, host } = app.config
  if (metricsPort === null) return null
  const server = createServer((_request, response) => {
    metricsText(app, ports).then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((ok, fail) => server.once('error', fail).listen(metricsPort, host, ok))
  return server
}

/** While the database is unavailable, the other figures are still served. The alerts are then absent, not zero. */
async function metricsText({ log }: App, { openAlerts }: HttpPorts): Promise<string> {
  const open = await openAlerts().catch((error: unknown) => {
    log.error({ error }, 'the alerts could not be read for the metrics')
    return new Map<string, number>()
  })
  alertsOpen.reset()
  for (const [kind, count] of open) alertsOpen.set({ kind }, count)
  return register.metrics()
}
