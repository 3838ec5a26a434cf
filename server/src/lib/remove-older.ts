import * as fs from 'node:fs/promises'
import { codeOf } from './error-code.ts'

/** False also when it no longer exists. */
export async function isOlder(file: string, than: Date): Promise<boolean> {
  const changed = await fs.stat(file).catch(() => null)
  return changed !== null && changed.mtimeMs < than.getTime()
}

/**
 * Removes a file that others may write again at any moment, if it was last touched before the given time; otherwise, or when it is gone, returns
 * false. The file first moves `aside` on the same file system, so that anybody who needs it from then on writes it again.
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
