import * as fs from 'node:fs/promises'
import { codeOf } from './error-code.ts'

/** False also when it is not there any more. */
export async function isOlder(file: string, than: Date): Promise<boolean> {
  const changed = await fs.stat(file).catch(() => null)
  return changed !== null && changed.mtimeMs < than.getTime()
}

/**
 * Removes a file that others may write again at any moment, if it was last written or touched before then; false: it was not, or is gone. It goes
 * `aside`, on the same file system, first: whoever wants it from then on makes it anew.
 */
export async function removeOlder(file: string, aside: string, before: Date): Promise<boolean> {
  try {
    await fs.rename(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
  const isOld = await isOlder(aside, before)
  if (isOld) await fs.rm(aside)
  else await fs.rename(aside, file)
  return isOld
}
