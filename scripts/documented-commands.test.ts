/** What the documents tell people to type exists: npm's scripts, the tables of the database, projects of the tests. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'docs/operating.md',
  ...fs.globSync('docs/operating/*.md', { cwd: root }),
]

test('every npm script that a document names is in package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = documents.flatMap((file) => [...read(file).matchAll(/\bnpm run (?:-s )?([a-z][\w:-]*)/g)])
  const missing = named.map(([, script = '']) => script).filter((script) => !Object.hasOwn(scripts, script))
  expect(named.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

test('every table that CONTRIBUTING names is in the database', () => {
  const section = read('CONTRIBUTING.md').split('## Look into the database')[1]?.split('\n## ')[0] ?? ''
  const named = [...section.matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)].flatMap(([, cell = '']) => [
    ...cell.matchAll(/`(\w+)`/g),
  ])
  const tables = read('server/src/db/tables.ts').split('export interface DB {')[1] ?? ''
  const missing = named.map(([, table = '']) => table).filter((table) => !tables.includes(`\n  ${table}: `))
  expect(named.length).toBeGreaterThan(5)
  expect(missing).toEqual([])
})

test('every project of the tests that CONTRIBUTING names is there, and no other', () => {
  const section = read('CONTRIBUTING.md').split('| project | ')[1]?.split('\n\n')[0] ?? ''
  const named = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, project]) => project)
  const configs = ['vitest.config.ts', 'web/vitest.config.ts', 'web/e2e/vitest.config.ts'].map(read).join('\n')
  const projects = [...configs.matchAll(/\bname: '(\w+)'/g)].map(([, project]) => project)
  expect(named.toSorted()).toEqual(projects.toSorted())
})
