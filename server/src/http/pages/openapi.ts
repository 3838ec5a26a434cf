import { errorCodes } from '@ghanti/contract/error-codes.ts'
import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import type { FileField, Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import * as z from 'zod/mini'
import packageJson from '../../../../package.json' with { type: 'json' }
import { policy } from '../../policy.ts'
import { callbackPaths } from '../gateway-callback.ts'
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
              properties: {
                field: { type: 'string' },
                code: { $ref: '#/components/schemas/ErrorCode' },
                text: { type: 'string' },
              },
            },
          },
          file: {
            type: 'object',
            description: 'Of a refused file: its counts, and the first ten refused rows',
            required: ['rows', 'dialable', 'refused'],
            properties: {
              rows: { type: 'number' },
              dialable: { type: 'number' },
              refused: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['line', 'text', 'reason'],
                  properties: { line: { type: 'number' }, text: { type: 'string' }, reason: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
  },
}

function parametersOf(route: Route, input: Json): Json[] {
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
    })),
    ...fromQuery.map((name) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: ownValue(properties, name),
    })),
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

function operationOf({ key, area, route }: ListedRoute): Json {
  const input = schemaOf(route.input, 'input')
  const who = policy[key]
  const body = bodyOf(route, input)
  return {
    operationId: key,
    summary: summaries[key],
    tags: [area],
    description: who === 'public' ? 'Needs no session.' : `For: ${who.join(', ')}.`,
    ...(who === 'public' ? { security: [] } : {}),
    parameters: parametersOf(route, input),
    ...(body ? { requestBody: body } : {}),
    responses: { 200: replyOf(route), '4XX': errorReply, '5XX': errorReply },
  }
}

export function openApi(basePath: string): Json {
  const paths: Record<string, Json> = { ...callbackPaths }
  for (const line of listedRoutes) {
    const { path } = pathOf(line.route)
    setOwnValue(paths, path, { ...ownValue(paths, path), [line.route.method.toLowerCase()]: operationOf(line) })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ghanti',
      version: packageJson.version,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'token' },
      },
      schemas: { ErrorCode: errorCode },
    },
    security: [{ bearer: [] }, { cookie: [] }],
    tags: Object.keys(routes).map((name) => ({ name, description: inWords(name) })),
    paths,
  }
}
