/** What tests of checkouts that are gone left where a checkout's end does not reach. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { liveServer, lockFolder } from '../db/embedded/pg-local-process.ts'

/** The file beside a cluster in memory that names its checkout. */
export const noteName = 'checkout'
export const memoryPrefix = 'ghanti-test-'

/**
 * Removes clusters that no process uses: in memory those whose checkout is gone, and below a closed folder (pg-local-home.ts) those of tests whose
 * folder is gone. A demo's stays, because its folder may only have moved.
 */
export async function removeAbandoned(linked: string, memory: string): Promise<void> {
  for (const name of namesIn(memory).filter((name) => name.startsWith(memoryPrefix))) {
    const folder = path.join(memory, name)
    const checkout = textOf(path.join(folder, noteName))
    if (checkout !== null && !fs.existsSync(checkout)) await removeUnused(path.join(folder, 'postgres'), folder)
  }
  for (const name of namesIn(linked).filter((name) => name.endsWith('.folder'))) {
    const note = path.join(linked, name)
    const folder = textOf(note)
    if (folder === null || !isOfTests(folder, memory) || fs.lstatSync(folder, { throwIfNoEntry: false })) continue
    const home = note.slice(0, -'.folder'.length)
    await removeUnused(home, home, note)
  }
}

/** Whether the folder belongs to a checkout's tests, or was made by a test for itself, perhaps among the temporary files of an earlier run in memory. */
function isOfTests(folder: string, memory: string): boolean {
  const ofCheckout = folder.endsWith(path.join(path.sep, '.ghanti', 'test', 'postgres'))
  const own = [path.join(os.tmpdir(), 'ghanti-'), path.join(memory, memoryPrefix)]
  return ofCheckout || own.some((one) => folder.startsWith(one))
}

async function removeUnused(home: string, ...all: string[]): Promise<void> {
  const unlock = await lockFolder(home)
  try {
    if (liveServer(path.join(home, 'data'))) return
    for (const one of all) fs.rmSync(one, { recursive: true, force: true })
  } finally {
    await unlock()
  }
}

const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
const textOf = (file: string): string | null => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null)
