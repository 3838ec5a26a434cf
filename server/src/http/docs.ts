import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { FileField, Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import * as z from 'zod/mini'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { demoAccountExists, viewerOfToken } from '../modules/auth/actions.ts'
import { policy } from '../policy.ts'
import { tokenOf } from './cookies.ts'
import { callbackPaths } from './gateway-callback.ts'

type Json = Record<string, unknown>
type Line = { key: RouteKey; area: string; route: Route }

const lines: Line[] = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea).map(([name, route]: [string, Route]) => ({ key: `${area}.${name}` as RouteKey, area, route })),
)

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'openapi-3.0',
    unrepresentable: 'any',
  }) as Json
  return rest
}

const errorReply = {
  description: 'Refused; `errors` names the fields',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message'],
        properties: {
          message: { type: 'string' },
          errors: {
            type: 'array',
            items: {
              type: 'object',
              required: ['field', 'code', 'text'],
              properties: { field: { type: 'string' }, code: { type: 'string' }, text: { type: 'string' } },
            },
          },
        },
      },
    },
  },
}

function parametersOf(route: Route, input: Json): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const properties = (input['properties'] ?? {}) as Json
  const required = (input['required'] ?? []) as string[]
  const fromQuery = route.method === 'POST' ? [] : Object.keys(properties).filter((name) => !inPath.includes(name))
  const listQuery = route.kind === 'list' ? ['page', 'pageSize', 'after', 'sort', 'order', 'search'] : []
  return [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } })),
    ...fromQuery.map((name) => ({ name, in: 'query', required: required.includes(name), schema: properties[name] })),
    ...listQuery.map((name) => ({
      name,
      in: 'query',
      schema:
        name === 'sort' ? { type: 'string', enum: route.sort.map((key) => key.replace('-', '')) } : { type: 'string' },
    })),
  ]
}

function bodyOf(route: Route, input: Json): Json | undefined {
  if (route.method !== 'POST') return undefined
  if (route.kind !== 'upload') return { content: { 'application/json': { schema: input } } }
  const files = Object.fromEntries(
    Object.entries(route.files).map(([name, { orText }]: [string, FileField]) => [
      name,
      orText ? { type: 'string' } : { type: 'string', format: 'binary' },
    ]),
  )
  const schema = { ...input, properties: { ...((input['properties'] ?? {}) as Json), ...files } }
  return { content: { 'multipart/form-data': { schema } } }
}

function replyOf(route: Route): Json {
  if (route.kind === 'file') return { description: 'The file; range requests are answered', content: { '*/*': {} } }
  if (route.kind === 'events') return { description: 'Server-sent events', content: { 'text/event-stream': {} } }
  return { description: 'Success', content: { 'application/json': { schema: schemaOf(route.reply, 'output') } } }
}

function operationOf({ key, area, route }: Line): Json {
  const input = schemaOf(route.input, 'input')
  const who = policy[key]
  const body = bodyOf(route, input)
  return {
    operationId: key,
    tags: [area],
    description: who === 'public' ? 'Needs no session.' : `For: ${who.join(', ')}.`,
    ...(who === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route, input),
    ...(body ? { requestBody: body } : {}),
    responses: { 200: replyOf(route), default: errorReply },
  }
}

/** The contract as an OpenAPI 3.0 document. */
function openApi(basePath: string): Json {
  const paths: Record<string, Json> = { ...callbackPaths }
  for (const line of lines) {
    const path = line.route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [line.route.method.toLowerCase()]: operationOf(line) }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Ghanti', version: '1' },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
      },
    },
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function page(document: Json): string {
  const operations = Object.entries(document['paths'] as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          `<details><summary><b>${method.toUpperCase()}</b> <code>${escaped(path)}</code> ${escaped(String(operation['description']))}</summary>` +
          `<pre>${escaped(JSON.stringify(operation, null, 2))}</pre></details>`,
      ),
  )
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><title>Ghanti API</title>' +
    '<style>body{font:15px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}summary{cursor:pointer;padding:.3rem 0}pre{overflow:auto}</style>' +
    `<h1>Ghanti API</h1><p><a href="openapi.json">openapi.json</a></p>${operations.join('\n')}</html>`
  )
}

/** For whoever is signed in; in the demo, which answers this machine alone, for everybody. A browser without a session is led to the login. */
export function docsRoutes(http: FastifyInstance, app: App): void {
  const { basePath } = app.config
  let document: Json | undefined
  const documentFor = async (request: FastifyRequest, reply: FastifyReply): Promise<Json> => {
    reply.header('cache-control', 'no-store')
    if (!(await demoAccountExists(app.db))) await viewerOfToken(app, tokenOf(request))
    return (document ??= openApi(basePath))
  }
  http.get('/api/openapi.json', async (request, reply) => reply.send(await documentFor(request, reply)))
  http.get('/api/docs', async (request, reply) => {
    try {
      return reply.type('text/html; charset=utf-8').send(page(await documentFor(request, reply)))
    } catch (error) {
      const isBrowser = request.headers.accept?.includes('text/html') ?? false
      if (!isBrowser || !(error instanceof AppError)) throw error
      return reply.redirect(`${basePath}/login`)
    }
  })
}
