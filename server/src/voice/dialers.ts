import { loadDialersOf } from './model/campaigns/snapshot.sql.ts'
import { rebuildNumbers } from './model/campaigns/numbers.sql.ts'
import { DialerRunner, type RunnerContext } from './dialer-runner.ts'
import type { Engines } from './placement/engines.ts'

const lookMs = 500
/** While a dialer is about to become ours, because nobody listens to its callers until then. */
const expectingLookMs = 100
/** A crash of the database also ends the connection that shows that we live, so numbers are looked at when it is back; now and then in any case. */
const numbersMs = 10_000

/** The dialers of this engine: takes those that are its share, looks after them, and hands them over to other engines. */
export class Dialers {
  readonly #context: RunnerContext
  readonly #engines: Engines
  readonly #signal: AbortSignal
  readonly #runners = new Map<number, DialerRunner>()
  #numbersAt = -Infinity

  constructor(context: RunnerContext, engines: Engines, signal: AbortSignal) {
    this.#context = context
    this.#engines = engines
    this.#signal = signal
  }

  /** How soon to look again. */
  get lookMs(): number {
    return this.#engines.isExpecting ? expectingLookMs : lookMs
  }

  async look(): Promise<void> {
    const { log, liveness } = this.#context
    await liveness.begun
    if (!liveness.held) return
    await this.#rebuildNumbers()
    const { take, handOver } = await this.#engines.look(new Set(this.#runners.keys()))
    await this.#take(take)
    const wanted = new Set(handOver.map(({ dialerId }) => dialerId))
    for (const [dialerId, runner] of this.#runners) if (!wanted.has(dialerId)) runner.stays()
    const isLeaving = [...this.#runners.values()].some((runner) => runner.isLeaving)
    if (isLeaving || this.#signal.aborted) return // one at a time
    const next = handOver.find(({ dialerId }) => this.#runners.get(dialerId)?.mayLeave())
    if (next)
      this.#runners
        .get(next.dialerId)
        ?.handOver(next.to)
        .catch((error: unknown) => log.error({ error, ...next }, 'a dialer could not be handed over'))
  }

  async #rebuildNumbers(): Promise<void> {
    const { pool, log, liveness } = this.#context
    const now = performance.now()
    if (this.#numbersAt > (liveness.heldSince ?? 0) && now - this.#numbersAt < numbersMs) return
    if (await rebuildNumbers(pool)) log.warn('the numbers in calls and the calls of today were counted again')
    this.#numbersAt = now
  }

  async #take(dialerIds: readonly number[]): Promise<void> {
    if (dialerIds.length === 0) return
    const { pool, log } = this.#context
    for (const dialer of await loadDialersOf(pool, dialerIds)) {
      if (this.#signal.aborted) return
      const runner = await DialerRunner.open(this.#context, dialer)
      if (!runner) continue
      this.#runners.set(dialer.id, runner)
      const over = runner.run().catch((error: unknown) => {
        if (!this.#signal.aborted)
          log.error({ error, dialerId: dialer.id }, 'the work for a dialer could not be ended cleanly')
      })
      void over.finally(() => this.#runners.delete(dialer.id))
    }
  }

  /** Hands over what other engines can take; elsewhere waits `drainMs` at most for calls in progress. */
  async stop(drainMs: number): Promise<void> {
    const { liveness, log } = this.#context
    const next = liveness.held ? await this.#nextOnes() : new Map<number, number>()
    const left = [...this.#runners].map(([dialerId, runner]) => {
      const to = next.get(dialerId)
      return to === undefined ? runner.stop(drainMs) : runner.handOver(to)
    })
    await Promise.all(left)
    if (liveness.held)
      await this.#engines.gone().catch((error: unknown) => log.warn({ error }, 'this engine could not sign off'))
  }

  #nextOnes(): Promise<Map<number, number>> {
    return this.#engines.leave(new Set(this.#runners.keys())).catch((error: unknown) => {
      this.#context.log.warn({ error }, 'this engine could not tell the others that it is shutting down')
      return new Map()
    })
  }
}
