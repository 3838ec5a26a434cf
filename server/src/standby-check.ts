import type { App } from './app.ts'
import { serversOf } from './db/servers/database-url.ts'
import { standbyFault } from './db/servers/standby.ts'
import { alertOver, raiseAlert } from './modules/alerts/actions.ts'

const everyMs = 30_000
const subject = 'database'

/** An alert while DATABASE_URL names several servers and commits wait for none of the others. Returns a function that stops it. */
export function startStandbyCheck(app: Pick<App, 'db' | 'databaseUrl' | 'log'>): () => Promise<void> {
  if ((serversOf(app.databaseUrl)?.servers.length ?? 1) < 2) return async () => {}
  let running: Promise<void> | null = null
  const look = async (): Promise<void> => {
    const fault = await standbyFault(app.db)
    if (fault === null) return await alertOver(app.db, 'standby', subject)
    app.log.warn({ fault }, 'what was committed last is lost if the database’s primary dies now')
    await raiseAlert(app.db, 'standby', subject, fault)
  }
  const round = (): void => {
    running ??= look()
      .catch((error: unknown) => app.log.warn({ error }, 'the standby could not be looked at'))
      .finally(() => (running = null))
  }
  round()
  const timer = setInterval(round, everyMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
