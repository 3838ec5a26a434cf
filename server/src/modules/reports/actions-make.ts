import type { App } from '../../app.ts'
import { readingFiles } from '../../db/servers/replica-reads.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { reportZips } from './worker.ts'
import * as store from './store.ts'

const askerDisabled = 'The account that asked for it is disabled.'

/** The job: writes the zips, stores them and deletes those they replace. Restarts from the beginning after its process was killed. */
export async function makeReport(app: App, campaignId: number, signal: AbortSignal): Promise<void> {
  if (!(await store.markMaking(app.db, campaignId))) return
  if (await store.isAskerStopped(app.db, campaignId)) return store.markFailed(app.db, campaignId, askerDisabled)
  await withWorkFolder(app, 'reports', async (folder) => {
    const zips = await readingFiles(app, (from) =>
      reportZips({ ...from, campaignId, at: app.clock.now(), folder }, signal),
    )
    const files = {
      zip_hash: await app.files.put(zips.both),
      cc_hash: await app.files.put(zips.cc),
      dtmf_hash: await app.files.put(zips.dtmf),
    }
    if (await store.isAskerStopped(app.db, campaignId)) await store.markFailed(app.db, campaignId, askerDisabled)
    const old = await store.markReady(app.db, { campaignId, files, at: app.clock.now() })
    // `old` undefined: nobody waits for this report, because another process was quicker (perhaps with the same bytes) or it was given up.
    const named = await store.filesOf(app.db, campaignId)
    for (const hash of old ?? Object.values(files))
      if (hash !== null && !named.includes(hash)) await app.files.remove(hash)
  })
}

/** After the last retry. The summary shows this reason; the cause is in the log. */
export async function giveUpReport(app: App, campaignId: number): Promise<void> {
  await store.markFailed(app.db, campaignId, 'The report could not be made. Please try again.')
}
