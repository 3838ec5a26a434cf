import { errorCodes } from '@ghanti/contract/error-codes.ts'
import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import type { FileField, Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import * as z from 'zod/mini'
import packageJson from '../../../../package.json' with { type: 'json' }
import { policy } from '../../policy.ts'
import { keyScopeOf } from '../../policy-keys.ts'
import { callbackPaths } from '../gateway-callback.ts'
import { keepsReply } from '../mount.ts'
import { answerExamples, codesOf, parameterExample, requestExamples } from './openapi-examples.ts'
import { summaries } from './summaries.ts'

type Json = Record<string, unknown>
type ListedRoute = { key: RouteKey; area: string; route: Route }

const listedRoutes: ListedRoute[] = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea).map(([name, route]: [string, Route]) => ({
    key: `${area}.${name}` as RouteKey,
    area,
    route,
  })),
)

function inWords(area: string): string {
  const words = area.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** `/user/:userId` → [`/user/`, `userId`]: the names of parameters are at odd indexes. */
const partsOf = (path: string): string[] => path.split(/:(\w+)/)

/**
 * Paths that differ only in the names of their parameters are one path to OpenAPI, which gets the first route's names. The key is the path
 * without names, the value is each parameter's name.
 */
const parameterNames = new Map(
  listedRoutes.toReversed().map(({ route }) => [
    partsOf(route.path)
      .filter((_, i) => i % 2 === 0)
      .join('{}'),
    namesIn(route),
  ]),
)

function namesIn({ path }: Route): string[] {
  return partsOf(path).filter((_, i) => i % 2 === 1)
}

function pathOf(route: Route): { path: string; names: { own: string; shown: string }[] } {
  const parts = partsOf(route.path)
  const shown = parameterNames.get(parts.filter((_, i) => i % 2 === 0).join('{}')) ?? []
  const names = namesIn(route).map((own, i) => ({ own, shown: shown[i] ?? own }))
  return { path: parts.map((part, i) => (i % 2 === 0 ? part : `{${shown[(i - 1) / 2] ?? part}}`)).join(''), names }
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12', // the dialect of OpenAPI 3.1
    unrepresentable: 'any',
  }) as Json
  return rest
}

/** A text, not an enumeration: a generated client of today would refuse the code that is added tomorrow. */
const errorCode = {
  type: 'string',
  description: [
    'What a program can decide by. More may be added.',
    '',
    '| code | meaning | what to do |',
    '|---|---|---|',
    ...Object.entries(errorCodes).map(([code, [means, remedy]]) => `| ${code} | ${means} | ${remedy} |`),
  ].join('\n'),
}

const listed = (properties: Json) => ({
  type: 'array',
  items: { type: 'object', required: Object.keys(properties), properties },
})

/** The body of every refusal. */
const refusal = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string' },
    errors: listed({
      field: { type: 'string' },
      code: { $ref: '#/components/schemas/ErrorCode' },
      text: { type: 'string', description: 'Continues a sentence that begins with the field’s name' },
    }),
    file: {
      type: 'object',
      description: 'Of a refused file: its counts, and the first ten refused rows',
      required: ['rows', 'dialable', 'refused'],
      properties: {
        rows: { type: 'number' },
        dialable: { type: 'number' },
        refused: listed({ line: { type: 'number' }, text: { type: 'string' }, reason: { type: 'string' } }),
      },
    },
  },
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key with the same request is answered once, however often it is sent in 24 hours',
  schema: { type: 'string', maxLength: 200 },
}

function errorReply(key: RouteKey): Json {
  const codes = codesOf(key)
  const known = codes.length === 0 ? '' : `. Among its codes: ${codes.join(', ')}`
  return {
    description: `Refused; \`errors\` names the fields${known}`,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Refusal' }, ...answerExamples(key, 'refused') },
    },
  }
}

const faultReply = {
  description: 'Try again; with `Retry-After`, after so many seconds',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
}

function parametersOf({ key, route }: ListedRoute, input: Json): Json[] {
  const { names } = pathOf(route)
  const inPath = names.map(({ own }) => own)
  const properties = (input['properties'] ?? {}) as Json
  const required = (input['required'] ?? []) as string[]
  const fromQuery = route.method === 'POST' ? [] : Object.keys(properties).filter((name) => !inPath.includes(name))
  const listQuery = route.kind === 'list' ? ['page', 'pageSize', 'after', 'sort', 'order', 'search', 'format'] : []
  return [
    ...names.map(({ own, shown }) => ({
      name: shown,
      in: 'path',
      required: true,
      schema: ownValue(properties, own) ?? { type: 'string' },
      ...parameterExample(key, own),
    })),
    ...fromQuery.map((name) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: ownValue(properties, name),
      ...parameterExample(key, name),
    })),
    ...listQuery.map((name) => ({
      name,
      in: 'query',
      schema:
        name === 'sort' ? { type: 'string', enum: route.sort.map((by) => by.replace('-', '')) } : { type: 'string' },
    })),
    ...(keepsReply(key, route) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

function bodyOf({ key, route }: ListedRoute, input: Json): Json | undefined {
  if (route.method !== 'POST') return undefined
  if (route.kind !== 'upload') return { content: { 'application/json': { schema: input, ...requestExamples(key) } } }
  const files = Object.fromEntries(
    Object.entries(route.files).map(([name, { orText }]: [string, FileField]) => [
      name,
      orText ? { type: 'string' } : { type: 'string', format: 'binary' },
    ]),
  )
  const schema = { ...input, properties: { ...((input['properties'] ?? {}) as Json), ...files } }
  return { content: { 'multipart/form-data': { schema } } }
}

function replyOf({ key, route }: ListedRoute): Json {
  if (route.kind === 'file') return { description: 'The file; range requests are answered', content: { '*/*': {} } }
  if (route.kind === 'events') return { description: 'Server-sent events', content: { 'text/event-stream': {} } }
  const schema = schemaOf(route.reply, 'output')
  return { description: 'Success', content: { 'application/json': { schema, ...answerExamples(key, 'done') } } }
}

/** Whom the document is for: everybody, or programs with a key, which may make some of the calls. */
export type Readers = 'everybody' | 'programs'

function operationOf(line: ListedRoute, readers: Readers): Json {
  const { key, area, route } = line
  const input = schemaOf(route.input, 'input')
  const who = policy[key]
  const scope = keyScopeOf[key]
  const body = bodyOf(line, input)
  const rights = who === 'public' ? 'Needs no session.' : `For: ${who.join(', ')}.`
  return {
    operationId: key,
    summary: summaries[key],
    tags: [area],
    description: scope === null ? rights : `${rights} A key needs the scope ${scope}.`,
    ...(who === 'public' ? { security: [] } : readers === 'programs' ? { security: [{ key: [scope] }] } : {}),
    parameters: parametersOf(line, input),
    ...(body ? { requestBody: body } : {}),
    responses: { 200: replyOf(line), '4XX': errorReply(key), '5XX': faultReply },
  }
}

const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'gh_live_…',
  description: 'A key, with the scope that each call names. `write` includes reading.',
}
const schemesFor: Record<Readers, Json> = {
  everybody: {
    bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session, or a key (gh_live_…)' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
  },
  programs: { key: keyScheme },
}

export function openApi(basePath: string, readers: Readers = 'everybody'): Json {
  const isForPrograms = readers === 'programs'
  const lines = isForPrograms ? listedRoutes.filter(({ key }) => keyScopeOf[key] !== null) : listedRoutes
  const paths: Record<string, Json> = isForPrograms ? {} : { ...callbackPaths }
  for (const line of lines) {
    const { path } = pathOf(line.route)
    const operation = operationOf(line, readers)
    setOwnValue(paths, path, { ...ownValue(paths, path), [line.route.method.toLowerCase()]: operation })
  }
  const areas = new Set(lines.map(({ area }) => area))
  return {
    openapi: '3.1.0',
    info: {
      title: isForPrograms ? 'Ghanti for programs' : 'Ghanti',
      version: packageJson.version,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    components: {
      securitySchemes: schemesFor[readers],
      parameters: { IdempotencyKey: idempotencyKey },
      schemas: { ErrorCode: errorCode, Refusal: refusal },
    },
    security: isForPrograms ? [{ key: [] }] : [{ bearer: [] }, { cookie: [] }],
    tags: Object.keys(routes)
      .filter((area) => areas.has(area))
      .map((name) => ({ name, description: inWords(name) })),
    paths,
  }
}
