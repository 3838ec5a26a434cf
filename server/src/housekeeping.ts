import type { App } from './app.ts'
import { forgetOldKeys } from './http/requests/store-idempotency.ts'
import { forgetAddresses } from './modules/after-call/actions.ts'
import { tidySignIns } from './modules/auth/actions.ts'
import { forgetOldMakings } from './modules/base-from/actions-make.ts'
import { forgetOldUploads } from './modules/blacklist/actions.ts'
import { forgetUnneededBases } from './modules/contacts/actions-stored.ts'
import { forgetOldTests } from './modules/dialers/actions-tests.ts'
import { forgetOldHooks } from './modules/hooks/actions.ts'
import { forgetMinutes } from './modules/insight/actions-count.ts'
import { checkCounters } from './modules/insight/actions-check.ts'
import { forgetOldExports } from './modules/exports/actions-make.ts'
import { forgetUnnamedFiles } from './modules/files/actions.ts'
import { forgetOldMails } from './modules/mail/actions.ts'
import { forgetOldNotices } from './modules/notices/actions.ts'
import { archiveOld } from './modules/retention/actions-archives.ts'
import { forgetDeleted } from './modules/retention/actions-delete.ts'
import { keepPartitions } from './modules/retention/actions-months.ts'
import { forgetOldRecordings } from './modules/recordings/actions.ts'
import { forgetOldSummaryMails } from './modules/summary-mails/actions.ts'
import { forgetStagedFiles } from './modules/sms-campaigns/actions-files.ts'
import { forgetOldInbox } from './modules/sms-inbox/actions.ts'
import { forgetOldGatewayTests } from './modules/sms-gateways/actions.ts'
import { forgetOldSpeech } from './modules/speech/actions.ts'
import { forgetOldTraces } from './modules/traces/actions.ts'

const everyMs = 3600_000
/** Rounds between those that examine every file and compare counters with calls. */
const roundsOfDay = 24

/** Deletes every hour what nobody needs any more, and makes room. Several processes may do it at once. Returns a function that stops it. */
export function startHousekeeping(app: App): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let roundsDone = 0
  const ending = new AbortController()
  const round = (): void => {
    const rounds = [
      keepPartitions(app),
      forgetOldKeys(app.db),
      forgetOldHooks(app),
      forgetMinutes(app.db),
      tidySignIns(app),
      forgetOldTests(app.db),
      forgetOldTraces(app.db),
      forgetOldGatewayTests(app.db),
      forgetOldUploads(app.db),
      forgetOldRecordings(app),
      forgetUnneededBases(app),
      forgetOldMakings(app),
      forgetOldExports(app),
      forgetStagedFiles(app),
      forgetOldInbox(app),
      forgetOldSpeech(app),
      forgetOldNotices(app),
      forgetOldMails(app),
      forgetOldSummaryMails(app),
      forgetAddresses(app.db),
      forgetDeleted(app, ending.signal),
      archiveOld(app, ending.signal),
      ...(roundsDone++ % roundsOfDay === 0 ? [forgetUnnamedFiles(app), checkCounters(app.db, app.clock.now())] : []),
    ]
    running = Promise.all(rounds).then(
      () => {},
      (error: unknown) => app.log.error({ error }, 'housekeeping'),
    )
  }
  round()
  const timer = setInterval(round, everyMs)
  return async () => {
    clearInterval(timer)
    ending.abort()
    await running
  }
}
