/** Compares docs/api.md with the code as far as possible. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { campaignStatusCode, campaignStatusLabel, campaignTransitions } from '@ghanti/contract/campaign-status.ts'
import { errorCodes } from '@ghanti/contract/error-codes.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes } from '@ghanti/contract/routes.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { expect, test } from 'vitest'
import { wireOf } from '../server/src/errors.ts'
import { callbackPaths } from '../server/src/http/gateway-callback.ts'
import { workLimits } from '../server/src/modules/limits/rules.ts'
import { isTest, sources } from './tidy-sources.ts'

const text = fs.readFileSync(path.resolve(import.meta.dirname, '../docs/api.md'), 'utf8')

/** The text below a heading, up to the next one. */
function section(heading: string): string {
  const [, rest = ''] = text.split(new RegExp(`^#+ ${heading}$`, 'm'))
  return rest.split(/^#/m)[0] ?? ''
}

/** The cells of the first table, without its head. */
function table(heading: string): string[][] {
  const lines = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return lines
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((row) => row.map((cell) => cell.trim()))
}

/** Names of parameters may differ. */
const withoutNames = (url: string): string => url.replaceAll(/:\w+|\{\w+\}/g, '{}')
const served = new Set(
  [
    ...Object.values(routes).flatMap((area): Route[] => Object.values(area)),
    ...Object.entries(callbackPaths).flatMap(([url, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: url })),
    ),
  ].map((route) => `${route.method} ${withoutNames(route.path)}`),
)
/** Served without a route of the contract. */
const besides = [
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /api/v1/clients/ghanti.php',
  'GET /api/v1/clients/ghanti.py',
]

/** '/a/{b, c}/{id}' is '/a/b/{id}' and '/a/c/{id}'. */
function alternatives(url: string): string[] {
  const [whole, list] = /\{([^{}]*,[^{}]*)\}/.exec(url) ?? []
  if (whole === undefined || list === undefined) return [url]
  return list.split(',').flatMap((one) => alternatives(url.replace(whole, one.trim())))
}

/** Every full path of a call in a text: 'GET, POST /api/obd/brand' is two. Without a method: ' /api/obd/brand'. */
function callsIn(part: string): string[] {
  const found = part.matchAll(/`(?:([A-Z]+(?:(?:, |\|)[A-Z]+)*) )?(\/(?:api\/obd|app\/sms)\/[^`?]*)[^`]*`/g)
  return [...found].flatMap(([, methods = '', written = '']) => {
    const url = written.trim().replace(/\/$/, '')
    if (/[*…]/.test(url)) return []
    return alternatives(url).flatMap((one) => methods.split(/, |\|/).map((method) => `${method} ${withoutNames(one)}`))
  })
}

const isServed = (call: string): boolean =>
  [...served, ...besides].some((line) => (call.startsWith(' ') ? line.endsWith(call) : line === call))
test('every call that docs/api.md names is in the contract', () => {
  const named = callsIn(text)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((call) => !isServed(call))).toEqual([])
})

test('its table of statuses matches the contract, with every allowed change', () => {
  const rows = table('Campaign statuses').map(([code, label, name, , next = '']) => ({
    code: Number(code),
    label,
    name,
    next: (next.match(/\d+/g) ?? []).map(Number),
  }))
  const names = Object.keys(campaignStatusCode) as (keyof typeof campaignStatusCode)[]
  const expected = names.map((name) => ({
    code: campaignStatusCode[name],
    label: campaignStatusLabel[name],
    name,
    next: campaignTransitions[name].map((to) => campaignStatusCode[to]).toSorted((a, b) => a - b),
  }))
  const byCode = (a: { code: number }, b: { code: number }) => a.code - b.code
  expect(rows.toSorted(byCode)).toEqual(expected.toSorted(byCode))
})

test('its table of replies has every status and message of the server', () => {
  const rows = table('Statuses and messages').map(([status, message = '']) => `${status} ${message}`)
  const ofTheirOwn = ['too_large', 'not_supported'] // the message names size or type
  for (const [code, { status, message }] of Object.entries(wireOf)) {
    const wanted = ofTheirOwn.includes(code) ? '{' : `'${message}'`
    expect(
      rows.some((row) => row.startsWith(`${status} `) && row.includes(wanted)),
      code,
    ).toBe(true)
  }
})

test('its table of templates has their ids, names and labels', () => {
  expect(table('Templates').map(([id, name, label]) => [Number(id), name, label])).toEqual(
    templates.map(({ id, name, typeLabel }) => [id, `\`${name}\``, typeLabel]),
  )
})

test('its table of heavy work has the current limits', () => {
  expect(table('Heavy work').map(([, ...figures]) => figures)).toEqual(
    Object.values(workLimits).map(({ atOnce, perMinute, perDay }) =>
      [atOnce, perMinute, perDay].map((figure) => (figure === Infinity ? 'none' : figure.toLocaleString('en'))),
    ),
  )
})

test('it names the default quotas', () => {
  for (const quota of Object.values(defaultQuotas)) expect(section('Quotas')).toContain(quota.toLocaleString('en'))
})

test('an unknown path is found', () => {
  expect(alternatives('/api/obd/campaigns/{pause, stop}/{id}')).toEqual([
    '/api/obd/campaigns/pause/{id}',
    '/api/obd/campaigns/stop/{id}',
  ])
  expect(served.has('POST /api/obd/campaigns/pause')).toBe(true)
  expect(served.has('GET /api/obd/campaigns/pause')).toBe(false)
})

test('every code of an error is one that the server or its schemas give', () => {
  const lacking = ['factor', 'password'].map((must) => `${must}_required`) // put together from what a session lacks
  const ofSchemas = [
    'invalid_element',
    'invalid_format',
    'invalid_key',
    'invalid_union',
    'not_multiple_of',
    'too_small',
  ]
  const written = sources
    .filter(({ file }) => /^(server|contract)\/src\//.test(file) && !isTest(file))
    .filter(({ file }) => !/\/(error-codes|api-examples)\.ts$/.test(file))
    .map((source) => source.text)
    .join('\n')
  const given = Object.keys(errorCodes).filter((code) => written.includes(`'${code}'`))
  expect([...given, ...lacking, ...ofSchemas].toSorted()).toEqual(Object.keys(errorCodes).toSorted())
})
