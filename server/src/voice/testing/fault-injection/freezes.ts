import { setTimeout as sleep } from 'node:timers/promises'
import { freezeAccount, liftAccount } from '../../../modules/frozen/actions.ts'
import type { Viewer } from '../../../policy.ts'
import type { KillBench } from './bench.ts'

/** So long an account is frozen, and then not: holds end and begin again within both. */
const [frozenMs, freeMs] = [500, 3000]

/**
 * Freezes an account and all below it again and again while `work` goes on, whatever is killed meanwhile, and lifts it for good. Its calls may finish, since
 * a call that was cancelled looks like one that was never sent. Returns how often.
 */
export async function freezeDuring(
  { at: { db } }: KillBench,
  { userId }: Viewer,
  work: () => Promise<void>,
): Promise<number> {
  const freeze = { isPlatform: true, by: null, reason: 'killed', endsCalls: false }
  const set = (isFrozen: boolean) =>
    db.transaction().execute(async (tx) => {
      if (isFrozen) await freezeAccount(tx, userId, { ...freeze, at: new Date() })
      else await liftAccount(tx, userId)
    })
  let times = 0
  const over = new AbortController()
  const done = work().finally(() => over.abort())
  done.catch(() => {}) // it is awaited once the account is lifted
  while (!over.signal.aborted) {
    await set(true).then(
      () => times++,
      () => {},
    ) // frozen already, or PostgreSQL is away
    await sleep(frozenMs)
    await set(false).catch(() => {})
    await sleep(freeMs)
  }
  for (let lifted = false; !lifted;)
    lifted = await set(false).then(
      () => true,
      () => sleep(500, false),
    )
  await done
  return times
}
