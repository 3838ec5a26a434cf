/** What the runner of a gateway and the coordinator have in common: a lease, and work in rounds as long as it lasts. */
import type { Logger } from 'pino'
import { runEvery } from '../../dispatch/rounds/run-every.ts'
import { LeaseHolder } from '../../dispatch/lease/lease-holder.ts'
import type { SmsContext } from './context.ts'
import { releaseLease, renew, takeover, type SmsLease } from '../model/lease.sql.ts'

/** Null when another engine has the lease. */
export function takeLease(
  { pool, log, engineId, leaseMs, liveness }: SmsContext,
  gatewayId: number,
): Promise<LeaseHolder<SmsLease> | null> {
  return LeaseHolder.take<SmsLease>({
    log,
    of: { gatewayId },
    leaseMs,
    liveness,
    take: async () => {
      const lease = await takeover(pool, gatewayId, engineId, leaseMs, liveness.key)
      return lease && { lease, quietMs: 0 }
    },
    renew: (lease) => renew(pool, lease, leaseMs),
    release: (lease) => releaseLease(pool, lease),
  })
}

type Leased = { holder: LeaseHolder<SmsLease>; shutdown: AbortController; log: Logger }
type Round = { name: string; everyMs: number; work: () => Promise<unknown> }

/** Runs the rounds side by side until the shutdown, which a lost lease begins. A round that fails is logged and repeated. */
export async function runRounds({ holder, shutdown, log }: Leased, rounds: readonly Round[]): Promise<void> {
  const guarded =
    ({ name, work }: Round) =>
    async (): Promise<void> => {
      if (holder.lost !== null) shutdown.abort()
      else await work().catch((error: unknown) => log.error({ error }, name))
    }
  await Promise.all(rounds.map((round) => runEvery(round.everyMs, shutdown.signal, guarded(round))))
}

export async function giveUpLease({ holder, log }: Leased): Promise<void> {
  await holder.giveUp().catch((error: unknown) => log.warn({ error }, 'the lease could not be released'))
}
