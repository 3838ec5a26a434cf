// adds the entries of optional platform packages that the registry could not show when the lock was made
import fs from 'node:fs'
const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
const os = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'netbsd', 'openbsd', 'sunos', 'aix'],
  cpu = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']
const added = {}
for (const [at, p] of Object.entries(lock.packages))
  for (const [name, range] of Object.entries(p.optionalDependencies ?? {})) {
    const nested = `${at}/node_modules/${name}`,
      top = `node_modules/${name}`
    if (lock.packages[nested] || lock.packages[top]) continue
    const o = os.find((x) => name.includes(x)),
      c = cpu.find((x) => name.includes(x))
    added[top] = {
      version: range.replace(/^[\^~]/, ''),
      ...(p.dev && { dev: true }),
      optional: true,
      os: [o ?? 'none'],
      ...(c && { cpu: [c] }),
    }
  }
for (const k in added) lock.packages[k] = added[k]
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
fs.writeFileSync('package-lock.json', JSON.stringify(lock, null, 2) + '\n')
console.log(
  Object.keys(added).length,
  'added:',
  [
    ...new Set(
      Object.keys(added).map((k) =>
        k
          .replace('node_modules/', '')
          .replace(/[-/](android|darwin|freebsd|linux|openharmony|win32|netbsd|wasm32).*/, ''),
      ),
    ),
  ].join(' '),
)
