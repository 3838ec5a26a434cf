import type { App } from './app.ts'
import { queueVerifications } from './modules/mail/actions.ts'
import { queueNoticeMails } from './modules/notices/actions-mail.ts'
import { queueSummaryMails } from './modules/summary-mails/actions-send.ts'

const everyMs = 10_000

/** Queues notices, links and summaries for mailing, in rounds that never overlap. Returns a function that stops it. */
export function startMails(app: App): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= queueMails(app)
      .catch((error: unknown) => app.log.error({ error }, 'queueing mails failed'))
      .finally(() => (running = null))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function queueMails(app: App): Promise<void> {
  await queueVerifications(app)
  await queueNoticeMails(app)
  await queueSummaryMails(app)
}
