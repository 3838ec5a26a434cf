import type { Prepared } from './prepare.ts'
import type { Session } from '../dialer/session/session.ts'

/** Prepares a campaign in 'processing' (voice/prepare/prepare.ts). `failures`: how often in a row its speech could not be made. */
export type Prepare = (campaignId: number, failures: number, signal: AbortSignal) => Promise<Prepared>

const againMs = 30_000

export class Preparing {
  readonly #session: Session
  readonly #prepare: Prepare
  readonly #shutdown = new AbortController()
  readonly #underWay = new Map<number, Promise<void>>()
  readonly #failed = new Map<number, { failures: number; after: number }>()

  constructor(session: Session, prepare: Prepare) {
    this.#session = session
    this.#prepare = prepare
  }

  get busy(): boolean {
    return this.#underWay.size > 0
  }

  has(campaignId: number): boolean {
    return this.#underWay.has(campaignId)
  }

  /** False: it is not time yet. */
  begin(campaignId: number): boolean {
    const { failures, after } = this.#failed.get(campaignId) ?? { failures: 0, after: -Infinity }
    if (performance.now() < after) return false
    const { log, plans, changed } = this.#session
    const prepared = this.#prepare(campaignId, failures, this.#shutdown.signal)
      .then(
        (done) => {
          if (done.kind === 'later') this.#failedFor(campaignId, failures + 1, done.waitMs)
          else this.#failed.delete(campaignId)
        },
        (error: unknown) => {
          if (this.#shutdown.signal.aborted) return
          this.#failedFor(campaignId, failures, againMs * this.#session.timeScale)
          log.error({ error, campaignId }, 'a campaign could not be prepared; trying again')
        },
      )
      .then(() => {
        this.#underWay.delete(campaignId)
        plans.forget(campaignId) // its calls may say less than compose had to assume
        changed.add(campaignId)
      })
    this.#underWay.set(campaignId, prepared)
    return true
  }

  async end(): Promise<void> {
    this.#shutdown.abort()
    await Promise.allSettled(this.#underWay.values())
  }

  #failedFor(campaignId: number, failures: number, waitMs: number): void {
    this.#failed.set(campaignId, { failures, after: performance.now() + waitMs })
  }
}
