/** Checks the OpenAPI document by redocly's rules, so that code generators can read it. */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keyScopeOf } from '../server/src/policy-keys.ts'
import { openApi } from '../server/src/http/pages/openapi.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-openapi-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
const redocly = path.resolve(import.meta.dirname, '../node_modules/.bin/redocly')

type Operation = { operationId: string; security: Record<string, string[]>[] }
type Problem = { ruleId: string; message: string; location: { pointer?: string }[] }

/** The specifications' `/campaign/pause/{id}` and `/campaign/{userId}/{file}` match one URL; a fixed word takes precedence. */
const skipped = '--skip-rule=no-ambiguous-paths'

function problemsOf(document: unknown): string[] {
  const file = path.join(folder, 'openapi.json')
  fs.writeFileSync(file, JSON.stringify(document))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const args = [redocly, 'lint', file, '--extends=recommended', skipped, '--format=json', '--max-problems=1000']
  let out: string
  try {
    out = execFileSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    out = (error as { stdout: string }).stdout // it exits with 1 when it finds errors
  }
  const { problems } = JSON.parse(out) as { problems: Problem[] }
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
}

test.each(['everybody', 'programs'] as const)(
  'the OpenAPI document for %s keeps every rule that redocly recommends',
  (readers) => {
    expect(problemsOf(openApi('', readers))).toEqual([])
  },
)

test('the document for programs has each call that a key may make, with its scope, and no other', () => {
  const { paths } = openApi('', 'programs') as { paths: Record<string, Record<string, Operation>> }
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const scopes = operations.map(({ operationId, security }) => [operationId, security[0]?.['key']?.[0]])
  const wanted = Object.entries(keyScopeOf).filter(([, scope]) => scope !== null)
  expect(Object.fromEntries(scopes)).toEqual(Object.fromEntries(wanted))
})

test('it names the Idempotency-Key where a repeated request is answered by the first one’s reply', () => {
  const { paths } = openApi('') as { paths: Record<string, Record<string, { parameters: { $ref?: string }[] }>> }
  const named = (path: string) =>
    paths[path]?.['post']?.parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
  expect(['/api/v1/messages', '/api/v1/hooks/rotate', '/api/obd/login'].map(named)).toEqual([true, false, false])
})

test('every call has its own sentence', () => {
  const said = Object.values(openApi('')['paths'] as Record<string, Record<string, { summary: string }>>)
    .flatMap((path) => Object.values(path))
    .map(({ summary }) => summary)
  expect(said.filter((summary) => !/^[A-Z].+[\w)]\.$/.test(summary))).toEqual([])
  expect(said.length).toBeGreaterThan(200)
})

test('routes whose paths differ only in names are one path, with the first one’s names', () => {
  const templates = Object.keys(openApi('')['paths'] as object).map((one) => one.replaceAll(/\{\w+\}/g, '{}'))
  expect(new Set(templates).size).toBe(templates.length)
})
