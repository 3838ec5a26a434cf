/** A folder in memory for what tests of this checkout throw away: a cluster there takes a fifth of the kernel's work that it takes on a disk. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { memoryPrefix, noteName } from './abandoned.ts'

const checkout = path.resolve(import.meta.dirname, '../../..')
export const memory = '/dev/shm'
/** Tests need far less. The rest is for those who work on the machine. */
const plentyBytes = 8 * 1024 ** 3

/** Null where memory is short. */
export function folderInMemory(): string | null {
  if (!fs.existsSync(memory)) return null
  const { bavail, bsize } = fs.statfsSync(memory)
  if (Math.min(bavail * bsize, process.availableMemory()) < plentyBytes) return null
  const name = createHash('sha256').update(path.join(checkout, '.ghanti/test/postgres')).digest('hex').slice(0, 12)
  const folder = path.join(memory, `${memoryPrefix}${name}`)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, noteName), checkout)
  return folder
}

const runPrefix = 'run-'
const dayMs = 24 * 3600_000

/** Where the processes of one run keep their temporary files, until it ends. Those of killed runs go after a day. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const parent = folderInMemory()
  if (!parent) return { folder: os.tmpdir(), remove: () => {} }
  removeOlder(parent, runPrefix)
  const folder = fs.mkdtempSync(path.join(parent, runPrefix))
  fs.chmodSync(folder, 0o755) // PostgreSQL runs as another user when we are root
  return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) }
}

/** Removes what is a day old, so that a run beside this one keeps its own. */
export function removeOlder(parent: string, prefix: string): void {
  for (const name of fs.readdirSync(parent).filter((name) => name.startsWith(prefix))) {
    const old = path.join(parent, name)
    if (fs.statSync(old).mtimeMs < Date.now() - dayMs) fs.rmSync(old, { recursive: true, force: true })
  }
}
