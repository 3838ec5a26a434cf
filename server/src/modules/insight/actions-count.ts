import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { messageOf } from '../../lib/error-code.ts'
import { raiseAlert } from '../alerts/actions.ts'
import * as store from './store-count.ts'

/** How many of the engines' statements are counted at once: some ten thousand calls when they are busy. */
const statementsAtOnce = 50
const idleMs = 1000
/** A follower that fails for this long raises an alert, because the figures are behind. */
const alertAfterMs = 60_000

/** Counts everything that is committed. For tests and benches, which do not wait for the follower. */
export async function countAll(db: Db): Promise<void> {
  while ((await store.followOnce(db, statementsAtOnce)) > 0);
}

function alertBehind(db: Db, error: unknown): Promise<void> {
  return raiseAlert(db, 'judge: counts', 'follower', `counters of /insight are behind: ${messageOf(error)}`)
}

/**
 * Keeps the counters one or two seconds behind the calls. Any process of the role worker may run it; one counts at a time. After a full batch
 * it rests as long as the batch took, so that calls and screens come first. A failure is retried each second, and raises an alert after
 * `behindForMs`.
 */
export function startCounting({ db, log }: Pick<App, 'db' | 'log'>, behindForMs = alertAfterMs): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const run = async (): Promise<void> => {
    let failedSince: number | null = null
    while (!signal.aborted) {
      const began = performance.now()
      const taken = await store.followOnce(db, statementsAtOnce).catch(async (error: unknown) => {
        log.error({ error }, 'the counters of insight could not be updated; trying again')
        failedSince ??= began
        if (began - failedSince >= behindForMs) await alertBehind(db, error).catch(() => undefined) // the database is away: the next try raises it
        return null
      })
      if (taken !== null) failedSince = null
      const restMs = (taken ?? 0) < statementsAtOnce ? idleMs : performance.now() - began
      await sleep(restMs, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    ending.abort()
    await running
  }
}

export const forgetMinutes = store.forgetMinutes
