import { DatabaseError } from 'pg'
import type { Logger } from 'pino'
import type { Queryable } from '../../dispatch/statement.ts'
import { raiseAlert } from '../../dispatch/alerts.sql.ts'
import { settleMessages, type SmsOutcome } from './settle.sql.ts'
import { settleLate, type SmsLate } from './late.sql.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import { takeReceipts, type FinalReceipt } from './receipts.sql.ts'
import { keysOfOurs, type Claim } from './unmarked.sql.ts'
import { takeTestReceipts } from '../model/snapshot.sql.ts'

const everyMs = 100
/** Gateways send some ten receipts, then wait for acknowledgements, so a delay here delays all that follow. */
const receiptsMs = 5
const batchMax = 500
const afterFailureMs = 500

type Waiting = { receipts: readonly FinalReceipt[]; stored: () => void; failed: (error: Error) => void }
type Asked = { claims: readonly Claim[]; found: (keys: (string | null)[]) => void; failed: (error: Error) => void }
const notOurs = (): Error => new Error('the gateway is another engine’s')

export type WriterOptions = {
  db: Queryable
  lease: SmsLease
  slot: number
  log: Logger
  changed: Set<number>
}

/**
 * Writes answers and receipts in batches, one statement at a time, so that a receipt never overtakes its answer in the database. Waits
 * while the database is away; receipts are acknowledged only once stored.
 */
export class MessageWriter {
  readonly #options: WriterOptions
  #outcomes: { outcome: SmsOutcome; campaignId: number }[] = []
  #lates: { late: SmsLate; campaignId: number }[] = []
  #receipts: Waiting[] = []
  #asked: Asked[] = []
  #timer: NodeJS.Timeout | null = null
  /** By performance.now(), while a timer is set. */
  #wakesAt = 0
  #writing: Promise<void> | null = null
  #closed = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#outcomes.length
  }

  get unwritten(): SmsOutcome[] {
    return this.#outcomes.map(({ outcome }) => outcome)
  }

  settle(outcome: SmsOutcome, campaignId: number): void {
    this.#outcomes.push({ outcome, campaignId })
    this.#wake(this.#outcomes.length >= batchMax ? 0 : everyMs)
  }

  /** An answer that arrived after its message was reported as unknown. */
  late(late: SmsLate, campaignId: number): void {
    this.#lates.push({ late, campaignId })
    this.#wake(everyMs)
  }

  /** Resolves once they are stored. */
  receive(receipts: readonly FinalReceipt[]): Promise<void> {
    if (this.#closed) return Promise.reject(notOurs())
    return new Promise((stored, failed) => {
      this.#receipts.push({ receipts, stored, failed })
      this.#wake(receiptsMs)
    })
  }

  /** As `keysOfOurs`, once every answer that came before is stored. */
  keysOfOurs(claims: readonly Claim[]): Promise<(string | null)[]> {
    if (this.#closed) return Promise.reject(notOurs())
    return new Promise((found, failed) => {
      this.#asked.push({ claims, found, failed })
      this.#wake(receiptsMs)
    })
  }

  /** Resolves once everything so far is written, unless the database is away. */
  async flush(): Promise<void> {
    await this.#writing
    if (!this.#closed) await this.#write()
  }

  /** Receipts not stored are refused, so the gateway repeats them. */
  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    for (const { failed } of [...this.#receipts.splice(0), ...this.#asked.splice(0)]) failed(notOurs())
  }

  #wake(inMs: number): void {
    const at = performance.now() + inMs
    if (this.#closed || this.#writing || (this.#timer && at >= this.#wakesAt)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#wakesAt = at
    this.#timer = setTimeout(() => void this.#run(), inMs)
  }

  async #run(): Promise<void> {
    this.#timer = null
    let nextMs = everyMs
    this.#writing = this.#write().catch((error: unknown) => {
      nextMs = afterFailureMs
      this.#options.log.error({ error }, 'messages could not be written; trying again')
    })
    await this.#writing
    this.#writing = null
    if (this.#left > 0) this.#wake(nextMs)
  }

  async #write(): Promise<void> {
    while (this.#left > 0 && !this.#closed) {
      const batch = this.#outcomes.slice(0, batchMax)
      const answerable = batch.length < batchMax ? this.#asked.length : 0 // the answers before these questions are all in the batch
      if (batch.length > 0) {
        await this.#settle(batch.map(({ outcome }) => outcome))
        this.#outcomes.splice(0, batch.length)
        for (const { campaignId } of batch) this.#options.changed.add(campaignId)
      }
      await this.#writeLate()
      await this.#answerAsked(answerable)
      await this.#writeReceipts()
    }
  }

  /**
   * A batch that fails because of its data is halved down to the one outcome at fault. How that message ended is then unknown and a person
   * must look.
   */
  async #settle(outcomes: readonly SmsOutcome[]): Promise<void> {
    const { db, lease, slot, log } = this.#options
    try {
      await settleMessages(db, lease, slot, outcomes)
    } catch (error) {
      const [only, second] = outcomes
      if (!only || !isFaultOfAnOutcome(error)) throw error
      if (second) {
        const half = Math.ceil(outcomes.length / 2)
        await this.#settle(outcomes.slice(0, half))
        return await this.#settle(outcomes.slice(half))
      }
      log.error({ error, outcome: only }, 'the end of a message could not be written')
      await raiseAlert(db, 'outcome_parked', `message ${only.smsId}`, error.message)
      await settleMessages(db, lease, slot, [
        { ...only, kind: 'unknown', answered: true, code: null, reason: null, idKeys: [] },
      ])
    }
  }

  get #left(): number {
    return this.#outcomes.length + this.#lates.length + this.#receipts.length + this.#asked.length
  }

  /** After the message is stored as unknown, which `settle` reported before. */
  async #writeLate(): Promise<void> {
    const { db, lease, slot, log, changed } = this.#options
    const unwritten = new Set(this.#outcomes.map(({ outcome }) => outcome.smsId))
    const batch = this.#lates.filter(({ late }) => !unwritten.has(late.smsId)).slice(0, batchMax)
    if (batch.length === 0) return
    const reported = batch.map(({ late }) => late)
    await settleLate(db, lease, slot, reported).catch((error: unknown) => {
      if (!isFaultOfAnOutcome(error)) throw error
      log.error({ error, reported }, 'late answers could not be written: their messages stay unknown')
    })
    const written = new Set(batch)
    this.#lates = this.#lates.filter((one) => !written.has(one))
    for (const { campaignId } of batch) changed.add(campaignId)
  }

  async #answerAsked(count: number): Promise<void> {
    const { db, lease } = this.#options
    for (const { claims, found, failed } of this.#asked.splice(0, count))
      await keysOfOurs(db, lease.gatewayId, claims).then(found, failed)
  }

  async #writeReceipts(): Promise<void> {
    const { db, lease, slot, changed } = this.#options
    let n = 0
    let count = 0
    for (const { receipts } of this.#receipts) {
      if (count > 0 && count + receipts.length > batchMax) break
      count += receipts.length
      n += 1
    }
    if (n === 0) return
    const reported = this.#receipts.slice(0, n).flatMap(({ receipts }) => receipts)
    const { campaignIds, unmatched } = await takeReceipts(db, lease, slot, reported)
    const strangers = new Set(unmatched)
    await takeTestReceipts(
      db,
      lease.gatewayId,
      reported.filter(({ idKey }) => strangers.has(idKey)),
    )
    for (const id of campaignIds) changed.add(id)
    for (const { stored } of this.#receipts.splice(0, n)) stored()
  }
}

/**
 * SQLSTATE 22 is bad data, 23 a violated constraint. Anything else (a lost connection, a deadlock) is no outcome's fault: retry the batch.
 */
function isFaultOfAnOutcome(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
}
