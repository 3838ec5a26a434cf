import type { App } from './app.ts'
import { queueVerifications } from './modules/mail/actions.ts'
import { queueNoticeMails } from './modules/notices/actions-mail.ts'
import { queueDueRepeats } from './modules/repeats/actions-run.ts'
import { queueSummaryMails } from './modules/summary-mails/actions-send.ts'

const everyMs = 10_000

/** Everything that becomes due at some time. Each entry queues jobs, and one that fails does not stop the others. */
const kinds: readonly ((app: App) => Promise<void>)[] = [
  queueDueRepeats,
  queueVerifications,
  queueNoticeMails,
  queueSummaryMails,
]

/** Queues mails and repeating campaigns that are due, in rounds that never overlap. Returns a function that stops it. */
export function startDue(app: App): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= queueDue(app).finally(() => (running = null))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function queueDue(app: App): Promise<void> {
  for (const queue of kinds)
    await queue(app).catch((error: unknown) => app.log.error({ error, kind: queue.name }, 'queueing failed'))
}
