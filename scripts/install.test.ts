/** `npm start` and `npm test` first install what is missing (scripts/install.mjs). A stand-in for npm records how it was called. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterEach, expect, test } from 'vitest'

type Packages = Record<string, { version?: string; dev?: true; optional?: true; link?: true }>

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

/** Runs the script in a checkout with these packages; `npmFails` is the stand-in's exit code. */
function install(
  wanted: Packages | null,
  installed: Packages | null,
  { args = [], npmFails = 0 }: { args?: string[]; npmFails?: number } = {},
) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-install-'))
  folders.push(folder)
  const write = (file: string, text: string, mode?: number): void => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text, { mode })
  }
  write('scripts/install.mjs', fs.readFileSync(path.join(import.meta.dirname, 'install.mjs'), 'utf8'))
  if (wanted)
    write('package-lock.json', JSON.stringify({ packages: { '': {}, server: { version: '1.0.0' }, ...wanted } }))
  if (installed) write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
  write('bin/npm', `#!/bin/sh\necho "$@" >> "${folder}/called"\necho npm says why >&2\nexit ${npmFails}\n`, 0o755)
  const { status, stderr } = spawnSync(process.execPath, [path.join(folder, 'scripts/install.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` },
  })
  const called = path.join(folder, 'called')
  return { status, stderr, calls: fs.existsSync(called) ? fs.readFileSync(called, 'utf8').trim().split('\n') : [] }
}

const fastify = { 'node_modules/fastify': { version: '5.0.0' } }
const lint = { 'node_modules/oxlint': { version: '1.0.0', dev: true } } satisfies Packages

test('npm is not called when everything in the lockfile is installed, also for a production install', () => {
  const link = { 'node_modules/@ghanti/server': { link: true } } satisfies Packages
  expect(install({ ...fastify, ...lint, ...link }, { ...fastify, ...lint, ...link })).toMatchObject({
    status: 0,
    calls: [],
  })
  expect(install({ ...fastify, ...lint }, fastify)).toMatchObject({ status: 0, calls: [] })
  const mac = { 'node_modules/fsevents': { version: '2.0.0', optional: true } } satisfies Packages
  expect(install({ ...fastify, ...mac }, fastify, { args: ['--with-dev'] })).toMatchObject({ status: 0, calls: [] })
})

test('a first start, an interrupted install, a new version and a new package call npm ci once', () => {
  expect(install(fastify, null)).toMatchObject({ status: 0, calls: ['ci'] })
  expect(install(fastify, { 'node_modules/fastify': { version: '4.0.0' } }).calls).toEqual(['ci'])
  expect(install({ ...fastify, 'node_modules/pino/node_modules/split2': { version: '4.0.0' } }, fastify).calls).toEqual(
    ['ci'],
  )
  expect(install({ ...fastify, ...lint }, { ...fastify, 'node_modules/oxlint': { version: '0.9.0' } }).calls).toEqual([
    'ci',
  ])
})

test('tests install development packages even where the environment omits them', () => {
  expect(install({ ...fastify, ...lint }, fastify, { args: ['--with-dev'] }).calls).toEqual(['ci --include=dev'])
})

test('every command that a newcomer types first installs what it needs', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const before = (command: string) => scripts[`pre${command}`]
  expect(before('start')).toBe('node scripts/install.mjs')
  for (const command of ['dev', 'test', 'shots'])
    expect(before(command), command).toBe('node scripts/install.mjs --with-dev')
})

test('when npm fails, the command has its output and exit code', () => {
  const failed = install(fastify, null, { npmFails: 7 })
  expect(failed).toMatchObject({ status: 7, calls: ['ci'] })
  expect(failed.stderr).toContain('npm says why')
  expect(failed.stderr).toContain('npm ci failed; its message is above')
})

test('an unreadable lockfile is named', () => {
  const broken = install(null, null)
  expect(broken).toMatchObject({ status: 1, calls: [] })
  expect(broken.stderr).toContain('package-lock.json cannot be read')
})
