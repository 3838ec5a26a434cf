import type { App } from '../../app.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { countNoticeMails } from '../mail/actions.ts'
import { noticeMail } from './rules.ts'
import * as store from './store-mail.ts'

/** At most one mail of notices per reader within this time; later notices wait for the next mail. */
const pauseMs = 5 * 60_000
const takenAtOnce = 1000

/**
 * Creates jobs for notices that are due by mail. Notices for an unconfirmed address, or beyond the day's mails, appear only in the console.
 * Several processes may run this at once.
 */
export async function queueNoticeMails(app: App): Promise<void> {
  if (!app.mail) return
  await app.db.transaction().execute(async (tx) => {
    const due = await store.takeDue(tx, { now: app.clock.now(), pauseMs, limit: takenAtOnce })
    const confirmed = due.filter((one) => one.confirmed).map(({ userId }) => userId)
    const mailed = await countNoticeMails(tx, confirmed, app.clock.now())
    for (const { userId, noticeIds } of due)
      if (mailed.has(userId)) await queueJob(app.jobs, tx, 'notice-mail', { userId, noticeIds })
    const others = due.filter(({ userId }) => !mailed.has(userId))
    await store.keepOnScreen(
      tx,
      others.flatMap(({ noticeIds }) => noticeIds),
    )
  })
}

export async function sendNoticeMail(
  app: App,
  { userId, noticeIds }: { userId: number; noticeIds: readonly number[] },
): Promise<void> {
  const reader = await store.findReader(app.db, userId)
  if (!app.mail || !reader?.confirmed || !isMailAddress(reader.address)) return
  const mailed = await store.mailed(app.db, userId, noticeIds)
  // A disabled account cannot read on screen that its campaigns wait, so it is mailed that, and nothing else.
  const notices = reader.live ? mailed : mailed.filter(({ kind }) => kind === 'campaignHeld' || kind === 'smsHeld')
  if (notices.length === 0) return
  const { publicUrl, basePath } = app.config
  const language = (await store.mailLanguage(app.db, userId)) ?? 'en'
  const link = `${publicUrl}${basePath}/notices`
  await app.mail.send({ to: reader.address, ...noticeMail(notices, { language, link, username: reader.username }) })
}
