import { execFileSync } from 'node:child_process'
import * as path from 'node:path'
import { expect, test } from 'vitest'

type Lock = { packages: Record<string, Record<string, unknown>> }
type Completing = { completed: (lock: Lock) => Lock; faultsOf: (lock: Lock) => string[] }
const script = path.join(import.meta.dirname, 'complete-lock.mjs')
const { completed, faultsOf }: Completing = await import(script)

const root = { engines: { node: '>=20' }, devDependencies: { node: '24.21.0' } }
const lockOf = (packages: Lock['packages']): Lock => ({ packages: { '': root, ...packages } })

test('package-lock.json is complete: npm run lock', () => {
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('is complete')
})

test('optional packages of other platforms get their entries', () => {
  const lock = lockOf({
    'node_modules/tool': {
      version: '1.0.0',
      dev: true,
      integrity: 'sha512-x',
      optionalDependencies: { 'tool-darwin-arm64': '^1.0.0' },
    },
  })
  expect(completed(lock).packages['node_modules/tool-darwin-arm64']).toEqual({
    version: '1.0.0',
    dev: true,
    optional: true,
    os: ['darwin'],
    cpu: ['arm64'],
  })
})

test.each([
  { why: 'which the Node that comes along will do', node: '>=22', kept: false },
  { why: 'some of the Nodes that package.json lets in', node: '^20.19.0 || >=22.12', kept: false },
  { why: 'all of them: nobody is warned', node: '>=18', kept: true },
  { why: 'another than the one that comes along', node: '>=26', kept: true },
])('engines that ask for $node are kept: $kept ($why)', ({ node, kept }) => {
  const { packages } = completed(lockOf({ 'node_modules/tool': { integrity: 'sha512-x', engines: { node } } }))
  expect('engines' in (packages['node_modules/tool'] ?? {})).toBe(kept)
})

test.each([
  { entry: { os: ['linux'], cpu: ['x64'] }, fault: 'has no integrity' },
  { entry: { os: 'linux', cpu: 'arm64', libc: ['glibc'] }, fault: 'has no integrity' },
  { entry: {}, fault: 'has no integrity' },
  { entry: { os: ['linux'], cpu: ['s390x'] }, fault: null },
  { entry: { os: ['linux'], cpu: ['x64'], libc: ['musl'] }, fault: null },
  { entry: { os: ['darwin'], cpu: ['arm64'] }, fault: null },
  { entry: { integrity: 'sha512-x' }, fault: null },
  { entry: { integrity: 'sha512-x', resolved: 'git+ssh://x.example/y' }, fault: 'comes from git+ssh://x.example/y' },
])('a package with $entry: $fault', ({ entry, fault }) => {
  const faults = faultsOf(lockOf({ 'node_modules/tool': { version: '1.0.0', ...entry } }))
  expect(faults).toEqual(fault === null ? [] : [`node_modules/tool ${fault}`])
})
