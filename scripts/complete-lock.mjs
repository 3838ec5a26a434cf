/**
 * Completes package-lock.json after `npm install` has changed it: `npm run lock`. With `--check` it changes nothing, prints what is wrong and exits
 * with 1.
 * - Adds entries of optional packages for other platforms, which the registry left out: without them `npm ci` refuses the lock there.
 * - Removes `engines` that require more than package.json does and that the bundled Node satisfies: `npm ci` would warn everybody who has an older
 * Node about packages which that one never runs.
 * - Requires integrity for whatever can be installed on Linux with glibc, x64 or arm64, and allows no address outside of the registry.
 * - Runs on any Node from 20 on.
 */
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import semver from 'semver'

const file = new URL('../package-lock.json', import.meta.url)
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'netbsd', 'openbsd', 'sunos', 'aix']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

export function completed(lock) {
  const packages = { ...lock.packages }
  for (const [at, entry] of Object.entries(lock.packages))
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      const top = `node_modules/${name}`
      if (packages[`${at}/${top}`] || packages[top]) continue
      const os = systems.find((system) => name.includes(system)) ?? 'none'
      const cpu = processors.find((processor) => name.includes(processor))
      packages[top] = {
        version: range.replace(/^[\^~]/, ''),
        ...(entry.dev && { dev: true }),
        optional: true,
        os: [os],
        ...(cpu && { cpu: [cpu] }),
      }
    }
  const { engines, devDependencies } = packages['']
  for (const [at, entry] of Object.entries(packages)) {
    const wanted = entry.engines?.node
    if (wanted === undefined || !at.startsWith('node_modules/')) continue
    if (semver.subset(engines.node, wanted) || !semver.satisfies(devDependencies.node, wanted)) continue
    const { engines: _, ...rest } = entry
    packages[at] = rest
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...lock, packages: Object.fromEntries(sorted) }
}

/** What completing cannot repair. */
export function faultsOf(lock) {
  const allows = (list, one) => list === undefined || [list].flat().includes(one)
  return Object.entries(lock.packages)
    .filter(([at, entry]) => at.includes('node_modules/') && !entry.link)
    .flatMap(([at, { os, cpu, libc, integrity, resolved }]) => {
      const isInstallable = allows(os, 'linux') && (allows(cpu, 'x64') || allows(cpu, 'arm64')) && allows(libc, 'glibc')
      if (resolved !== undefined) return [`${at} comes from ${resolved}`]
      return isInstallable && integrity === undefined && !/musl/.test(at) ? [`${at} has no integrity`] : []
    })
}

if (fileURLToPath(import.meta.url) === process.argv[1]) {
  const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
  const whole = completed(lock)
  const faults = faultsOf(whole)
  const isComplete = isDeepStrictEqual(lock, whole)
  const check = process.argv.includes('--check')
  if (check && !isComplete) faults.push('package-lock.json is not complete: npm run lock')
  if (!check && !isComplete) fs.writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
  if (faults.length > 0) {
    console.error(faults.join('\n'))
    process.exitCode = 1
  } else console.log(`package-lock.json ${isComplete ? 'is' : 'was made'} complete`)
}
