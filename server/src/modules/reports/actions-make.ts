import type { App } from '../../app.ts'
import { readingFiles } from '../../db/servers/replica-reads.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { forgetFile, keepFiles, withFiles } from '../files/actions.ts'
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
    if (await store.isAskerStopped(app.db, campaignId)) return store.markFailed(app.db, campaignId, askerDisabled)
    await withFiles(app, async (tx) => {
      const [zip_hash = '', cc_hash = '', dtmf_hash = ''] = await keepFiles(
        tx,
        app.files,
        [zips.both, zips.cc, zips.dtmf],
        'report',
      )
      // None replaced and none named: another process was quicker, or it was given up.
      const replaced = await store.markReady(tx, {
        campaignId,
        files: { zip_hash, cc_hash, dtmf_hash },
        at: app.clock.now(),
      })
      for (const hash of replaced) if (hash !== null) forgetFile(tx, hash)
    })
  })
}

/** After the last retry. The summary shows this reason; the cause is in the log. */
export async function giveUpReport(app: App, campaignId: number): Promise<void> {
  await store.markFailed(app.db, campaignId, 'The report could not be made. Please try again.')
}
