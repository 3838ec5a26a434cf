import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { messageOf } from '../../lib/error-code.ts'
import { raiseAlert } from '../alerts/actions.ts'
import * as store from './store-count.ts'

/** Statements of the engines: some ten thousand calls when they are busy. */
const statementsAtOnce = 50
const idleMs = 1000
const rowsAtOnce = 5000
/** A follower that fails this long leaves /insight behind what happened: an alert says so. */
const alertAfterMs = 60_000

/** Adds everything that is committed to the counters; for tests and benches, which do not wait for the follower. */
export async function countAll(db: Db): Promise<void> {
  while ((await store.followOnce(db, statementsAtOnce)) > 0);
}

function alertBehind(db: Db, error: unknown): Promise<void> {
  return raiseAlert(db, 'judge: counts', 'follower', `counters of /insight are behind: ${messageOf(error)}`)
}

/**
 * Keeps the counters up to date, a second or two behind. Each process of the role worker may: one counts at a time, whoever comes first. After a batch that was
 * full it rests as long as that took, so that calls and screens go before. What fails is tried again each second; after `tellAfterMs` of it there is an alert.
 */
export function startCounting({ db, log }: Pick<App, 'db' | 'log'>, behindForMs = alertAfterMs): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const run = async (): Promise<void> => {
    let failedSince: number | null = null
    while (!signal.aborted) {
      const began = performance.now()
      const taken = await store.followOnce(db, statementsAtOnce).catch(async (error: unknown) => {
        log.error({ error }, 'the counters of insight')
        failedSince ??= began
        if (began - failedSince >= behindForMs) await alertBehind(db, error).catch(() => undefined) // the database is away: the next try tells
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

/**
 * Counts the calls and messages of an older version, the newest first, until all are counted or `signal` aborts; where it left off the next call goes on. Half of
 * the time it rests.
 */
export async function fillCounters(db: Db, signal: AbortSignal, atOnce = rowsAtOnce): Promise<void> {
  for (const what of store.filled)
    while (!signal.aborted) {
      const began = performance.now()
      if ((await store.fillOnce(db, what, atOnce)) === 0) break
      await sleep(performance.now() - began, undefined, { signal }).catch(() => undefined)
    }
}

/** The same without a rest; for benches, which nobody else waits for. */
export async function fillAllCounters(db: Db, atOnce: number): Promise<void> {
  for (const what of store.filled) while ((await store.fillOnce(db, what, atOnce)) > 0);
}

export const forgetMinutes = store.forgetMinutes
