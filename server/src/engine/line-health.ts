import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CallEnd } from './call-ports.ts'
import type { Call } from './call.ts'
import type { Ending, TrunkSign } from './disposition.ts'
import { told } from './line-data.ts'
import type { HealthChange, Lines } from './lines.ts'
import { causeOf } from './outcome.ts'
import type { Lease } from './statement.ts'
import { liftHold, saveHold, saveProbe } from './world.sql.ts'

export type LineHealthOptions = {
  pool: Pool
  log: Logger
  lease: Lease
  lines: Lines
  now(): number
  timeScale(): number
  /** The trunk is on hold: what has not rung is given back. */
  recall(trunkId: number): void
}

/** What calls say of the trunks that carry them, and the holds that follow. */
export class LineHealth {
  readonly #options: LineHealthOptions

  constructor(options: LineHealthOptions) {
    this.#options = options
  }

  /** A call is over. Is that a fault of the trunk's? */
  ended(call: Call, end: CallEnd, ending: Ending): boolean {
    const { lines } = this.#options
    const { trunkId } = call.plan.line
    if (call.probe) lines.probing(trunkId, false)
    if (ending.disposition === 'CANCEL' || end.fromRecord) return false
    lines.ended(trunkId, ending.disposition === 'ANSWER')
    if (call.carried && ending.sign === 'good') return false // said when it rang
    return this.observed(call, ending.sign, causeOf(end))
  }

  observed(call: Call, sign: TrunkSign, cause: string): boolean {
    const { lines, now, timeScale, recall } = this.#options
    const { attempt, plan } = call
    const { trunkId } = plan.line
    const trunk = lines.trunk(trunkId)
    const { isFault, change } = lines.observe(trunkId, sign, {
      redial: attempt.congestions + attempt.failures > 0,
      probe: call.probe,
      cause: trunk ? told(cause, trunk) : cause,
      now: now(),
      timeScale: timeScale(),
    })
    if (change?.held) recall(trunkId)
    if (change) void this.#keep(change)
    return isFault
  }

  /** Its settings were changed, or a test call passed: whoever mended it does not wait for the next probe. */
  mended(trunkId: number): void {
    const { pool, lease, log, lines, now } = this.#options
    const held = lines.mended(trunkId, now())?.held
    if (!held) return
    log.info({ trunkId, held }, 'a held trunk may have been mended, its probe is due')
    saveProbe(pool, lease, trunkId, new Date(held.nextProbeAt)).catch((error: unknown) =>
      log.error({ error, trunkId }, 'the next probe of a trunk could not be kept'),
    )
  }

  async #keep({ trunkId, held }: HealthChange): Promise<void> {
    const { pool, lease, log, lines } = this.#options
    log.warn({ trunkId, held }, held ? 'trunk on hold' : 'trunk carries calls again')
    try {
      if (!held) await liftHold(pool, lease, trunkId)
      else {
        const { since, reason, refusing, probes, nextProbeAt } = held
        await saveHold(pool, lease, {
          trunkId,
          reason,
          refusing,
          probes,
          settings: lines.markOf(trunkId),
          since: new Date(since),
          nextProbeAt: new Date(nextProbeAt),
        })
      }
    } catch (error) {
      log.error({ error, trunkId }, 'the state of a trunk could not be kept')
    }
  }
}
