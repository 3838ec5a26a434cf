import type { App } from './app.ts'
import { queueNoticeMails } from './modules/notices/actions-mail.ts'

const everyMs = 10_000

/** Looks for notices that go by mail. A round never overlaps the one before. Answers how to end it. */
export function startNoticeMails(app: App): () => Promise<void> {
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= queueNoticeMails(app)
      .catch((error: unknown) => app.log.error({ error }, 'queueing the mails of notices failed'))
      .finally(() => (running = null))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
