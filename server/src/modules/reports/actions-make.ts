import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { App } from '../../app.ts'
import { reportZips } from '../../workers/report-worker.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000
const askerDisabled = 'The account that asked for it is disabled.'

/** The job: makes the zips, stores them and removes those that they replace. Made again from the start when its process was killed. */
export async function makeReport(app: App, campaignId: number, signal: AbortSignal): Promise<void> {
  if (!(await store.markMaking(app.db, campaignId))) return
  if (await store.isAskerStopped(app.db, campaignId)) return store.markFailed(app.db, campaignId, askerDisabled)
  const workFolder = path.join(app.config.dataFolder, 'reports')
  await fs.mkdir(workFolder, { recursive: true })
  await removeLeftovers(workFolder, app.clock.now())
  const folder = await fs.mkdtemp(path.join(workFolder, `${campaignId}-`))
  try {
    const zips = await reportZips({ databaseUrl: app.databaseUrl, campaignId, folder }, signal)
    const files = {
      zip_hash: await app.files.put(zips.both),
      cc_hash: await app.files.put(zips.cc),
      dtmf_hash: await app.files.put(zips.dtmf),
    }
    if (await store.isAskerStopped(app.db, campaignId)) await store.markFailed(app.db, campaignId, askerDisabled)
    const old = await store.markReady(app.db, { campaignId, files, at: app.clock.now() })
    // Without `old` nobody waits for it any more: another process was quicker, perhaps with the very same bytes, or it was given up.
    const named = await store.filesOf(app.db, campaignId)
    for (const hash of old ?? Object.values(files))
      if (hash !== null && !named.includes(hash)) await app.files.remove(hash)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** What killed processes left behind. */
async function removeLeftovers(workFolder: string, now: Date): Promise<void> {
  for (const name of await fs.readdir(workFolder)) {
    const left = path.join(workFolder, name)
    const { mtimeMs } = await fs.stat(left).catch(() => ({ mtimeMs: Infinity })) // just gone
    if (mtimeMs < now.getTime() - dayMs) await fs.rm(left, { recursive: true, force: true })
  }
}

/** Tried and tried again: the reason is shown in the summary, the cause is in the log. */
export async function giveUpReport(app: App, campaignId: number): Promise<void> {
  await store.markFailed(app.db, campaignId, 'The report could not be made. Please try again.')
}
