import type { Pool } from 'pg'
import type { TrunkSymptomKind } from '@ghanti/contract/alerts.ts'
import type { RtpFigures, SipMessage } from '../../../drivers/telephony/driver.ts'
import { clearAlert, raiseAlert } from '../../../dispatch/alerts.sql.ts'
import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import { talkMsOf } from '../../model/calls/talk.ts'
import type { Lease } from '../../../dispatch/statement.ts'
import { sdpOf } from './sdp.ts'
import { addSymptoms, type TrunkHours } from './symptoms.sql.ts'
import { added, noSymptoms, symptomsOfCall, symptomsOfSound, toldBy, type SymptomCounts } from './trunk-symptoms.ts'

/**
 * Counts what the calls of a dialer say of the sound and the keys of their trunks, and raises alerts. A call costs an addition in memory; each round, one
 * statement adds the sums of all trunks to their hours and answers with these. What was counted since the last round is lost with the engine.
 */
export class SymptomCounter {
  readonly #of: { pool: Pool; lease: Lease }
  readonly #counts = new Map<number, { counts: SymptomCounts; contradiction: string | null }>()
  /** The hour in which an alert was last raised or cleared, by kind and trunk: what a person clears is raised again an hour later at the earliest. */
  readonly #told = new Map<string, number>()

  constructor(of: { pool: Pool; lease: Lease }) {
    this.#of = of
  }

  ended({ attempt, plan }: Call, { leg, trail, fromRecord }: CallEnd): void {
    const billMs = leg && talkMsOf(leg)
    if (!leg || billMs === null || fromRecord || plan.isTest || plan.flow.connect) return
    const byFarEnd = leg.endedBy === 'callee' || leg.endedBy === 'network'
    this.#add(attempt.cli.trunkId, symptomsOfCall({ billMs, byFarEnd, trail }))
  }

  /** Of one sampled call. Whether it had a fault: then the next call is worth a sample. */
  sampled(trunkId: number, rtp: RtpFigures): boolean {
    const symptoms = symptomsOfSound(rtp)
    this.#add(trunkId, symptoms)
    return (symptoms.one_way ?? 0) + (symptoms.dead ?? 0) > 0
  }

  traced(trunkId: number, messages: readonly SipMessage[]): void {
    const sdp = sdpOf(messages)
    if (sdp) this.#add(trunkId, { described: 1, contradicted: Number(sdp.contradiction !== null) }, sdp.contradiction)
  }

  #add(trunkId: number, symptoms: Partial<SymptomCounts>, contradiction: string | null = null): void {
    const before = this.#counts.get(trunkId)
    this.#counts.set(trunkId, {
      counts: added(before?.counts ?? noSymptoms, symptoms),
      contradiction: contradiction ?? before?.contradiction ?? null,
    })
  }

  get isDue(): boolean {
    return this.#counts.size > 0
  }

  async round(): Promise<void> {
    const trunks = [...this.#counts].map(([trunkId, one]) => ({ trunkId, ...one }))
    this.#counts.clear()
    const hours = await addSymptoms(this.#of.pool, this.#of.lease, trunks).catch((error: unknown) => {
      for (const { trunkId, counts, contradiction } of trunks) this.#add(trunkId, counts, contradiction)
      throw error
    })
    for (const one of hours) await this.#tell(one)
  }

  async #tell({ trunk_id: trunkId, at, hour, before, contradiction }: TrunkHours): Promise<void> {
    const { pool } = this.#of
    const { raised, over } = toldBy(hour, before ?? noSymptoms, contradiction)
    const subject = `trunk ${trunkId}`
    for (const [kind, detail] of raised)
      if (this.#isNews(kind, trunkId, at)) await raiseAlert(pool, kind, subject, detail)
    for (const kind of over) if (this.#isNews(`${kind} over`, trunkId, at)) await clearAlert(pool, kind, subject)
  }

  #isNews(what: TrunkSymptomKind | `${TrunkSymptomKind} over`, trunkId: number, at: number): boolean {
    const key = `${what} ${trunkId}`
    if (this.#told.get(key) === at) return false
    this.#told.set(key, at)
    return true
  }
}
