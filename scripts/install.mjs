/**
 * Runs `npm ci` when node_modules is missing or differs from package-lock.json, so that `npm start` and `npm test` are all that a newcomer types.
 * npm runs this before start, dev and test with any Node from 20 on, so it uses no TypeScript and no packages. It compares versions rather than file
 * times: after `npm ci` it does nothing, even offline or on a read-only disk. With `--with-dev`, missing development packages count too.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const withDev = process.argv.includes('--with-dev')

/** The `packages` of a lockfile; null when it cannot be read. npm writes node_modules/.package-lock.json last: an interrupted install leaves none. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages
  } catch {
    return null
  }
}

/** The first package that is missing or has another version. A missing optional package is one for another platform. */
function lacking() {
  const wanted = packagesOf('package-lock.json')
  if (!wanted)
    throw new Error(
      'package-lock.json cannot be read: take it from the repository again (git checkout package-lock.json)',
    )
  const installed = packagesOf('node_modules/.package-lock.json')
  if (!installed) return 'node_modules'
  const differs = ([name, entry]) => {
    const there = installed[name]
    if (there)
      return there.version !== entry.version || there.integrity !== entry.integrity || there.link !== entry.link
    return !(entry.optional || entry.devOptional || entry.peer || (entry.dev && !withDev))
  }
  const isPackage = ([name]) => name.startsWith('node_modules/') || name.includes('/node_modules/')
  return Object.entries(wanted).filter(isPackage).find(differs)?.[0]
}

const lack = lacking()
if (lack !== undefined) {
  console.log(`Installing packages with npm ci, because ${lack} is missing or out of date ...`)
  const args = ['ci', ...(withDev ? ['--include=dev'] : [])]
  const { status, error } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) {
    console.error(
      `npm ci failed${error ? `: ${error.message}` : '; its message is above'}. Installing needs the npm registry or npm's cache.`,
    )
    process.exit(status || 1)
  }
}
