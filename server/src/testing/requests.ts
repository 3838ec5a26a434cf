import type { Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import * as z from 'zod/mini'
import { AppError, type FieldError } from '../errors.ts'
import { parseInput, parseListQuery, saidBy } from '../http/requests/input.ts'
import { pictureFile } from './files/picture.ts'
import { toneFile } from './files/sound.ts'

export type Fields = Record<string, unknown>

/** A route of the contract and what its input takes. */
export type ListedRoute = {
  key: RouteKey
  route: Route
  fields: readonly string[]
  /** Fields within fields: [sip, host]. */
  inner: readonly (readonly [string, string])[]
  required: readonly string[]
}

export const listedRoutes: readonly ListedRoute[] = Object.entries(routes).flatMap(([area, ofArea]) =>
  Object.entries(ofArea).map(([name, route]: [string, Route]) => listedRouteOf(`${area}.${name}` as RouteKey, route)),
)

function listedRouteOf(key: RouteKey, route: Route): ListedRoute {
  const { properties = {}, required = [] } = z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' })
  const ofList = route.kind === 'list' ? ['page', 'pageSize', 'after', 'sort', 'order', 'search', 'format'] : []
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object' ? Object.keys(schema.properties ?? {}).map((of) => [name, of] as const) : [],
  )
  return { key, route, fields: [...Object.keys(properties), ...ofList], inner, required }
}

export const namesInPath = (route: Route) => [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** As query strings, paths and forms have it. */
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What the server's own reading of a request refuses, before any handler sees it. */
export function refusedAtTheEdge({ route }: ListedRoute, fields: Fields): readonly FieldError[] {
  const inPath = namesInPath(route)
  const isText = route.method !== 'POST' || route.kind === 'upload'
  const wire = Object.entries(fields).map(
    ([name, value]) => [name, isText || inPath.includes(name) ? written(value) : value] as const,
  )
  const params = Object.fromEntries(wire.filter(([name]) => inPath.includes(name)))
  const others = Object.fromEntries(wire.filter(([name]) => !inPath.includes(name)))
  const [query, body] = route.method === 'POST' ? [{}, others] : [others, undefined]
  try {
    const { errors } = parseInput(route, saidBy(route, { params, query, body }))
    if (errors.length === 0 && route.kind === 'list') parseListQuery(route, query)
    return errors
  } catch (error) {
    if (error instanceof AppError) return error.errors
    throw error
  }
}

/** Writes half a surrogate pair as the bytes that a careless program sends. */
const inUrl = (value: unknown) =>
  encodeURIComponent(
    written(value)
      .slice(0, 250)
      .replaceAll(/\p{Cs}/gu, '\ufffd'),
  ).replaceAll('%EF%BF%BD', '%ED%A0%80')

/** Puts path parameters into the path, and the rest into query, JSON or form, as the route expects. An event stream is closed once it is open. */
export async function send(
  http: FastifyInstance,
  route: Route,
  fields: Fields,
  headers: Record<string, string>,
  files = Object.keys(route.files),
): Promise<LightMyRequestResponse> {
  const inPath = namesInPath(route)
  const url = inPath.reduce((path, name) => path.replace(`:${name}`, inUrl(fields[name])), route.path)
  const said = Object.entries(fields).filter(([name]) => !inPath.includes(name))
  if (route.kind === 'events') return openEvents(http, url, headers)
  if (route.kind === 'upload') return sendForm(http, url, fields, inPath, files, headers)
  if (route.method === 'POST')
    return http.inject({ method: 'POST', url, headers, payload: Object.fromEntries(said) as object })
  const query = said.map(([name, value]) => `${name}=${inUrl(value)}`).join('&')
  return http.inject({ method: route.method, url: `${url}?${query}`, headers })
}

async function openEvents(http: FastifyInstance, url: string, headers: Record<string, string>) {
  const opened = await http.inject({ method: 'GET', url, headers, payloadAsStream: true })
  opened.stream().destroy()
  return opened.statusCode === 200 ? { ...opened, body: '' } : http.inject({ method: 'GET', url, headers })
}

let numbers = 0
const sent = new WeakMap<Fields, File>()
/** Of a number that no other request's file has, since a caller ID is added once. The same fields are the same request, with the same file. */
function numberFile(fields: Fields): File {
  const file = sent.get(fields) ?? new File([`98${41_000_001 + numbers++}\n`], 'a.csv')
  sent.set(fields, file)
  return file
}

/** A valid file for each file field of the contract. A field that is not listed gets a file of one number. */
const goodFiles: Record<string, () => File> = {
  waveFile: () => toneFile('a.wav', 1),
  voiceFile: () => toneFile('7.wav', 1),
  logo: () => pictureFile('a.png'),
}

async function sendForm(
  http: FastifyInstance,
  url: string,
  fields: Fields,
  inPath: readonly string[],
  files: readonly string[],
  headers: Record<string, string>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (!inPath.includes(name)) form.append(name, written(value))
  for (const name of files) form.append(name, goodFiles[name]?.() ?? numberFile(fields))
  const body = new Response(form)
  const type = body.headers.get('content-type') ?? ''
  const payload = Buffer.from(await body.arrayBuffer())
  return http.inject({ method: 'POST', url, headers: { ...headers, 'content-type': type }, payload })
}
