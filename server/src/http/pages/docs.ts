import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { AppError, badField } from '../../errors.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { requireComplete } from '../../policy-lacking.ts'
import { tokenOf } from '../requests/cookies.ts'
import { sendCompressed, type Asset } from './compressed.ts'
import { openApi, type Readers } from './openapi.ts'
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
    '<h1>Ghanti API</h1><p><a href="openapi.json">openapi.json</a> · ' +
    `<a href="openapi.json?for=programs">openapi.json of what keys may call</a></p>${operations.join('\n')}</html>`
  )
}

const assetOf = (text: string, type: string): Asset => ({ bytes: Buffer.from(text), type, encoded: new Map() })

/** Open to anyone signed in, and to everyone in the demo, which only this machine can reach. Other browsers are redirected to the login. */
export function docsRoutes(http: FastifyInstance, app: App, ports: HttpPorts): void {
  const { basePath } = app.config
  /** All are the same for everybody, and megabytes: each is written once, and compressed once. */
  let written: { json: Record<Readers, Asset>; page: Asset } | undefined
  const documentFor = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    await takeTurn({ place: ports.placeOf(request.ip) }, async () => {
      if (await ports.demoAccountExists()) return
      const { must } = await ports.viewerOfToken(tokenOf(request), request.ip)
      requireComplete(must, null)
    })
    if (!written) {
      const document = openApi(basePath)
      const jsonOf = (of: object) => assetOf(JSON.stringify(of), 'application/json; charset=utf-8')
      written = {
        json: { everybody: jsonOf(document), programs: jsonOf(openApi(basePath, 'programs')) },
        page: assetOf(page(document), 'text/html; charset=utf-8'),
      }
    }
    return written
  }
  http.get<{ Querystring: { for?: unknown } }>('/api/openapi.json', async (request, reply) => {
    const { json } = await documentFor(request, reply)
    const readers = request.query.for ?? 'everybody'
    if (readers !== 'everybody' && readers !== 'programs') throw badField('for', 'must be programs')
    return await sendCompressed(json[readers], request, reply)
  })
  http.get('/api/docs', async (request, reply) => {
    try {
      return await sendCompressed((await documentFor(request, reply)).page, request, reply)
    } catch (error) {
      const isBrowser = request.headers.accept?.includes('text/html') ?? false
      if (!isBrowser || !(error instanceof AppError)) throw error
      return reply.redirect(`${basePath}/login`)
    }
  })
}
