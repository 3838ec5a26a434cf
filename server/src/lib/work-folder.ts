import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { App } from '../app.ts'

const dayMs = 24 * 3600_000

export async function withWorkFolder<T>(
  { config, clock }: Pick<App, 'config' | 'clock'>,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const all = path.join(config.dataFolder, name)
  await fs.mkdir(all, { recursive: true })
  await removeLeftovers(all, clock.now())
  const folder = await fs.mkdtemp(path.join(all, 'job-'))
  try {
    return await work(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** Removes the folders of killed processes. */
async function removeLeftovers(all: string, now: Date): Promise<void> {
  for (const name of await fs.readdir(all)) {
    const left = path.join(all, name)
    const { mtimeMs } = await fs.stat(left).catch(() => ({ mtimeMs: Infinity })) // it was just removed
    if (mtimeMs < now.getTime() - dayMs) await fs.rm(left, { recursive: true, force: true })
  }
}
