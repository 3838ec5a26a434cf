/** Rules that nobody should have to argue about: ARCHITECTURE.md, Import rules. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { deadCitations, deadPaths, foreignCitations, unlistedDecisions } from './citations.ts'
import { subjectFault, subjects } from './commit-subjects.ts'
import { isTest, links, sources, styleLines, texts, type Source } from './tidy-sources.ts'

const product = sources.filter(({ file }) => !isTest(file))
const under = (folder: string): Source[] => product.filter(({ file }) => file.startsWith(folder))

/** 'file: imports target' for every import that breaks a rule. */
function imports(
  from: readonly Source[],
  isBad: (target: string, source: Source, typeOnly: boolean) => boolean,
): string[] {
  return from.flatMap((source) =>
    source.imports
      .filter(({ target, typeOnly }) => isBad(target, source, typeOnly))
      .map(({ target }) => `${source.file}: imports ${target}`),
  )
}

const areaOf = (file: string): string | undefined => /^server\/src\/modules\/([\w-]+)\//.exec(file)?.[1]
const kindOf = (file: string): string | undefined =>
  /\/(rules|store|actions|routes|worker)(-[a-z0-9-]+)?\.ts$/.exec(file)?.[1]

test('no file has more than 400 lines', () => {
  expect(sources.filter(({ lines }) => lines > 400).map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
})

test('no function has more than 70 lines, no component more than 120', () => {
  const long = product.flatMap(({ file, functions }) =>
    functions
      .filter(({ name, lines }) => lines > (file.endsWith('.tsx') && /^[A-Z]/.test(name) ? 120 : 70))
      .map(({ name, line, lines }) => `${file}:${line} ${name}: ${lines}`),
  )
  expect(long).toEqual([])
})

test('contract imports zod only; callflow imports contract and the calendar', () => {
  expect(imports(under('contract/src/'), (target) => !/^(zod|zod\/mini|contract\/src\/.*)$/.test(target))).toEqual([])
  expect(
    imports(
      under('callflow/src/'),
      (target) => !/^(zod|zod\/mini|bikram-sambat|(contract|callflow)\/src\/.*)$/.test(target),
    ),
  ).toEqual([])
})

test('only bench, scripts and the telephony and end-to-end tests import the server from outside', () => {
  const others = product.filter(({ file }) => !/^(server|bench|scripts|telephony|web\/e2e)\//.test(file))
  expect(imports(others, (target) => target.startsWith('server/') || target === '@ghanti/server')).toEqual([])
})

/** The engine's decisions, as opposed to what reads and writes. */
const decisions = [
  'dispatch/turns/pacing',
  'voice/model/calls/disposition',
  'voice/model/calls/retry',
  'voice/dialer/recover/recorded-end',
  'voice/dialer/trunks/state/circuit-breaker',
  'voice/dialer/trunks/health/equal-refusals',
  'voice/dialer/trunks/limits/trunk-rate',
  'voice/scheduler/decide/decide',
  'voice/placement/decide',
  'voice/placement/rendezvous',
  'voice/invariants/checker',
].map((name) => `server/src/${name}.ts`)

/** What calls and what sends, from the lowest folder up: each imports only those before it, and messages nothing of calls. */
const layers = [
  'dispatch',
  'dispatch/turns',
  'dispatch/lease',
  'dispatch/rounds',
  'voice/model/campaigns',
  'voice/model/calls',
  'voice/settle',
  'voice/dialer/call',
  'voice/dialer/trunks/limits',
  'voice/invariants',
  'voice/dialer/symptoms',
  'voice/dialer/connection',
  'voice/dialer/audio',
  'voice/dialer/trunks/state',
  'voice/dialer/dial',
  'voice/dialer/trunks/health',
  'voice/dialer/trunks/test-calls',
  'voice/dialer/trace',
  'voice/dialer/recover',
  'voice/dialer/session',
  'voice/prepare',
  'voice/scheduler/snapshot',
  'voice/scheduler/decide',
  'voice/scheduler/steps',
  'voice/scheduler/capacity',
  'voice/scheduler/claim',
  'voice/scheduler',
  'voice/placement',
  'voice',
  'sms/model',
  'sms/settle',
  'sms/invariants',
  'sms/inbox',
  'sms/prepare',
  'sms/schedule',
  'sms/gateway',
  'sms',
]
const engines = /^server\/src\/(dispatch|voice|sms)\//
/** The place of a file among the layers. -1: it is none of the engines'. */
const layerOf = (file: string): number => layers.indexOf(path.posix.dirname(file).replace('server/src/', ''))

test('rules, decisions of the engine and call flows have no database, clock, randomness or async', () => {
  const ofEngine = product.filter(({ file }) => decisions.includes(file))
  expect(ofEngine.map(({ file }) => file).toSorted()).toEqual(decisions.toSorted())
  const pure = [
    ...under('callflow/src/'),
    ...under('server/src/').filter(({ file }) => kindOf(file) === 'rules'),
    ...ofEngine,
  ]
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\brandomUUID\(|\bawait\b/
  expect(
    pure
      .filter(({ text, functions }) => impure.test(text) || functions.some(({ isAsync }) => isAsync))
      .map(({ file }) => file),
  ).toEqual([])
  expect(
    imports(
      pure,
      // node:net is allowed for BlockList and isIP, which only compute.
      (target, _source, typeOnly) =>
        !typeOnly && /^(kysely|pg|server\/src\/(db|drivers|http)\/|node:(?!net$))/.test(target),
    ),
  ).toEqual([])
})

test('a module is rules, store, actions, routes and workers', () => {
  expect(product.filter(({ file }) => areaOf(file) && !kindOf(file)).map(({ file }) => file)).toEqual([])
})

test('modules reach each other through actions and rules; nobody reaches into a store; modules know no engine, http no module', () => {
  const foreign = imports(product, (target, { file }) => {
    const area = areaOf(target)
    return area !== undefined && area !== areaOf(file) && kindOf(target) === 'store'
  })
  expect(foreign).toEqual([])
  expect(
    imports(
      under('server/src/modules/'),
      (target, { file }) => areaOf(target) !== areaOf(file) && kindOf(target) === 'routes',
    ),
  ).toEqual([])
  expect(imports(under('server/src/modules/'), (target) => engines.test(target))).toEqual([])
  expect(imports(under('server/src/http/'), (target) => areaOf(target) !== undefined)).toEqual([])
})

test('each folder of the engines imports only what stands below it, and messages nothing of calls', () => {
  const inEngines = product.filter(({ file }) => engines.test(file))
  expect(inEngines.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)).toEqual([])
  const above = (target: string, { file }: Source): boolean =>
    engines.test(target) &&
    (layerOf(target) > layerOf(file) || (file.startsWith('server/src/sms/') && target.startsWith('server/src/voice/')))
  expect(imports(inEngines, above)).toEqual([])
})

test('no folder of the engines has more than twenty files', () => {
  const files = sources.filter(({ file }) => engines.test(file))
  const byFolder = Map.groupBy(files, ({ file }) => path.posix.dirname(file))
  expect([...byFolder].filter(([, all]) => all.length > 20).map(([folder]) => folder)).toEqual([])
})

test('routes only read from a store', () => {
  const writes =
    /\.(insertInto|updateTable|deleteFrom|mergeInto)\(|`[^`]*\b(insert into|delete from|update \w+ (\w+ )?set)\b/
  const routes = product.filter(({ file }) => kindOf(file) === 'routes')
  const writing = routes.flatMap(({ file, text }) =>
    storesOf(file, text).flatMap(({ store, calls }) => {
      const lines = store.text.split('\n')
      return store.functions
        .filter(({ name, line, lines: count }) => {
          const body = lines.slice(line - 1, line - 1 + count).join('\n')
          return calls(name) && writes.test(body)
        })
        .map(({ name }) => `${file}: ${name} of ${store.file}`)
    }),
  )
  expect(writing).toEqual([])
})

/** The stores that a file imports, and whether it uses a function of each: `store.find(` or, imported by name, `find`. */
function storesOf(file: string, text: string): { store: Source; calls: (name: string) => boolean }[] {
  const imported = text.matchAll(/^import (?:\* as (\w+)|\{([^}]*)\}) from '\.\/(store[\w-]*\.ts)'/gm)
  return [...imported].flatMap(([, namespace, names = '', store = '']) => {
    const source = product.find((other) => other.file === `${file.slice(0, file.lastIndexOf('/'))}/${store}`)
    const calls = (name: string): boolean =>
      namespace === undefined ? names.split(/[\s,]+/).includes(name) : text.includes(`${namespace}.${name}(`)
    return source ? [{ store: source, calls }] : []
  })
}

test('there is no cycle between modules', () => {
  const reaches = new Map<string, Set<string>>()
  for (const { file, imports } of under('server/src/modules/')) {
    const area = areaOf(file)
    for (const { target } of imports) {
      const other = areaOf(target)
      if (area && other && area !== other) reaches.set(area, (reaches.get(area) ?? new Set()).add(other))
    }
  }
  const cycles: string[] = []
  const walk = (area: string, way: readonly string[]): void => {
    if (way.includes(area)) return void cycles.push([...way.slice(way.indexOf(area)), area].join(' → '))
    for (const other of reaches.get(area) ?? []) walk(other, [...way, area])
  }
  for (const area of reaches.keys()) walk(area, [])
  expect([...new Set(cycles)]).toEqual([])
})

test('queries are in stores, the engine and db', () => {
  const query = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/
  const may = /\/store(-[a-z0-9-]+)?\.ts$|^server\/src\/(dispatch|voice|sms|db)\/|^server\/src\/policy\.ts$/
  expect(
    under('server/src/')
      .filter(({ file, text }) => !may.test(file) && query.test(text))
      .map(({ file }) => file),
  ).toEqual([])
})

test('drivers import no module and no database; only what starts a process names concrete ones', () => {
  const drivers = under('server/src/drivers/')
  expect(
    imports(drivers, (target) => /^(kysely|pg$|server\/src\/(modules|db|dispatch|voice|sms|http)\/)/.test(target)),
  ).toEqual([])
  const others = under('server/src/').filter(
    ({ file }) => !file.startsWith('server/src/drivers/') && !/^server\/src\/(main|admin)\.ts$/.test(file),
  )
  expect(
    imports(others, (target) => target.startsWith('server/src/drivers/') && !target.endsWith('/driver.ts')),
  ).toEqual([])
})

test('only quotas give room for files, and each kind of file that needs none is named once', () => {
  const server = under('server/src/')
  const filesWith = (pattern: RegExp) => server.filter(({ text }) => pattern.test(text)).map(({ file }) => file)
  expect(filesWith(/\bRoom\.of\(|\bas Room\b/)).toEqual(['server/src/modules/quotas/actions.ts'])
  // Whoever stores a file of a request or a job does it by keepFiles, which asks its account for room.
  expect(filesWith(/\broomUncounted\(/).toSorted()).toEqual([
    'server/src/db/backup/restore.ts',
    'server/src/modules/files/actions.ts',
    'server/src/modules/quotas/actions.ts',
    'server/src/modules/retention/actions-archives.ts',
    'server/src/modules/retention/actions-rewrite.ts',
    'server/src/voice/dialer/audio/recordings.ts',
  ])
})

test('routes come from the contract by way of mount, which gives each its checks, limits and turn; whoever makes others is named', () => {
  const makers = under('server/src/').filter(
    ({ file, text }) => /\bFastifyInstance\b/.test(text) && !file.includes('/testing/'),
  )
  expect(makers.map(({ file }) => file).toSorted()).toEqual([
    'server/src/http/gateway-callback.ts',
    'server/src/http/metrics.ts',
    'server/src/http/mount.ts',
    'server/src/http/pages/clients.ts',
    'server/src/http/pages/console.ts',
    'server/src/http/pages/docs.ts',
    'server/src/http/pages/mailbox.ts',
    'server/src/http/requests/refusal-pace.ts',
    'server/src/http/server.ts',
  ])
})

test('only config.ts reads the environment', () => {
  const readers = under('server/src/').filter(({ text }) => /\bprocess\.env\b/.test(text))
  expect(readers.map(({ file }) => file)).toEqual(['server/src/config.ts'])
})

test('dates are chosen in our date fields, which know both calendars, never in the browser’s own', () => {
  const native = /type=\{?["'](date|time|datetime-local|month|week)["']/
  expect(
    under('web/src/')
      .filter(({ text }) => native.test(text))
      .map(({ file }) => file),
  ).toEqual([])
})

test('default exports are screens, what is loaded lazily, and tools’ configuration; there are no barrels', () => {
  const lazy = new Set(
    sources.flatMap(({ text }) => [...text.matchAll(/\bimport\(\s*'[^']*?(\w+\.tsx)'/g)].map((match) => match[1])),
  )
  const may = (file: string) =>
    /Screen\.tsx$|(vite|vitest)\.config\.ts$|(global-setup|-reporter)\.ts$/.test(file) ||
    lazy.has(file.slice(file.lastIndexOf('/') + 1))
  expect(
    sources.filter(({ file, hasDefaultExport }) => hasDefaultExport && !may(file)).map(({ file }) => file),
  ).toEqual([])
  expect(sources.filter(({ isBarrel }) => isBarrel).map(({ file }) => file)).toEqual([])
})

/** Colours by number, by name, or from a palette that is not ours. */
const colour =
  /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(|: (white|black|gr[ae]y|red|green|blue)\b|--mantine-color-[a-z]+-\d/i
/** A size that is not a token, in `font-size` or in the shorthand. */
const fontSize = /\bfont(-size)?:(?!\s*(var\(--font-\d+\)|inherit)\s*;)/
const tokens = 'web/src/styles/tokens.css'

test('colours and font sizes are only in the tokens', () => {
  const styles = styleLines.filter(({ file, text }) => file !== tokens && (colour.test(text) || fontSize.test(text)))
  expect(styles.map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([])
  const mayName = new Set(['web/src/theme-colours.ts']) // computes with a brand's colour
  const inCode = /['"`]#[0-9a-f]{3,8}['"`]|\bfontSize\b|\bfz=|(color|c|bg)="[a-z]+\.\d"/i
  const code = under('web/src/').filter(({ file, text }) => !mayName.has(file) && inCode.test(text))
  expect(code.map(({ file }) => file)).toEqual([])
})

test('a citation names a document that exists, and a heading that it has', () => {
  expect(deadCitations(texts)).toEqual([])
})

test('the index of decisions has each of them', () => {
  expect(unlistedDecisions(texts)).toEqual([])
})

test('no symbolic link is committed', () => {
  expect(links()).toEqual([])
})

test('files that documents name exist', () => {
  const root = path.resolve(import.meta.dirname, '..')
  expect(deadPaths(texts, (file) => fs.existsSync(path.join(root, file)))).toEqual([])
})

test('the subjects of commits are imperative and short', () => {
  const faults = subjects().map((subject) => [subject, subjectFault(subject)])
  expect(faults.filter(([, fault]) => fault !== null)).toEqual([])
})

test('nothing cites a page that is not in the repository', () => {
  expect(foreignCitations(texts)).toEqual([])
})

test('sentences name the role or say they, never he or she', () => {
  const gendered = /\b(?:he|she|his|him|her|hers|himself|herself)\b/i
  const written = texts.filter(({ file }) => file !== 'scripts/tidy.test.ts')
  const lines = written.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line, at) => (gendered.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  )
  expect(lines).toEqual([])
})
