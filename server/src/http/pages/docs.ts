import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { tokenOf } from '../requests/cookies.ts'
import { openApi } from './openapi.ts'
import type { HttpPorts } from '../ports.ts'
import { takeTurn } from '../turns.ts'

type Json = Record<string, unknown>

function page(document: Json): string {
  const operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeMarkup(path)}</code> ${escapeMarkup(String(operation['summary']))}</summary>` +
          `<pre>${escapeMarkup(JSON.stringify(operation, null, 2))}</pre></details>`,
      ),
  )
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><title>Ghanti API</title>' +
    '<style>body{font:15px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}summary{cursor:pointer;padding:.3rem 0}pre{overflow:auto}</style>' +
    `<h1>Ghanti API</h1><p><a href="openapi.json">openapi.json</a></p>${operations.join('\n')}</html>`
  )
}

/** Open to anyone signed in, and to everyone in the demo, which only this machine can reach. Other browsers are redirected to the login. */
export function docsRoutes(http: FastifyInstance, app: App, ports: HttpPorts): void {
  const { basePath } = app.config
  /** Both are the same for everybody, and large: each is written once. */
  let written: { json: string; page: string } | undefined
  const documentFor = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    await takeTurn({ place: ports.placeOf(request.ip) }, async () => {
      if (!(await ports.demoAccountExists())) await ports.viewerOfToken(tokenOf(request))
    })
    if (!written) {
      const document = openApi(basePath)
      written = { json: JSON.stringify(document), page: page(document) }
    }
    return written
  }
  http.get('/api/openapi.json', async (request, reply) =>
    reply.type('application/json; charset=utf-8').send((await documentFor(request, reply)).json),
  )
  http.get('/api/docs', async (request, reply) => {
    try {
      return reply.type('text/html; charset=utf-8').send((await documentFor(request, reply)).page)
    } catch (error) {
      const isBrowser = request.headers.accept?.includes('text/html') ?? false
      if (!isBrowser || !(error instanceof AppError)) throw error
      return reply.redirect(`${basePath}/login`)
    }
  })
}
