import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { App } from '../app.ts'

const dayMs = 24 * 3600_000

type Working = Pick<App, 'config' | 'clock'>

export async function withWorkFolder<T>(app: Working, name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await openWorkFolder(app, name)
  try {
    return await work(folder)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** A new folder, which the caller removes. Those that killed processes left are removed a day later. */
export async function openWorkFolder({ config, clock }: Working, name: string): Promise<string> {
  const all = path.join(config.dataFolder, name)
  await fs.mkdir(all, { recursive: true })
  await removeLeftovers(all, clock.now())
  return await fs.mkdtemp(path.join(all, 'job-'))
}

/** Removes the folders of killed processes. */
async function removeLeftovers(all: string, now: Date): Promise<void> {
  for (const name of await fs.readdir(all)) {
    const left = path.join(all, name)
    const { mtimeMs } = await fs.stat(left).catch(() => ({ mtimeMs: Infinity })) // it was just removed
    if (mtimeMs < now.getTime() - dayMs) await fs.rm(left, { recursive: true, force: true })
  }
}
