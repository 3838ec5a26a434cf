import type { Session } from '../../dialer/session/session.ts'
import { trunkIdsOf } from '../../model/campaigns/route.ts'
import type { ContractAsk, ContractGrants } from '../../dialer/trunks/limits/contracts.sql.ts'
import type { Step } from '../steps/steps.ts'

type Wants = ContractAsk['wants']

/** How often a dialer reports what it uses of its contracts, while it uses or has some. When it wants more than it has, it asks in each tick. */
const askEveryMs = 1000
const askSoonMs = 200

/** Asks for what its dialer's calls need of contracts (docs/adr/59), and gives back the rest. */
export class ContractRequests {
  readonly #session: Session
  /** Monotonic. */
  #askedAt = -Infinity
  /** The dialer may hold grants that it no longer uses, for instance those of the previous holder. */
  #hasAny = true

  constructor(session: Session) {
    this.#session = session
  }

  /** There may be something to give back. */
  get hasAny(): boolean {
    return this.#hasAny
  }

  /** `probing`: trunks over which one call is to be tried. */
  async round(
    steps: readonly Step[],
    probing: readonly number[],
    dialer: { channels: number; cps: number },
  ): Promise<void> {
    const { contracts } = this.#session.trunks
    const now = performance.now()
    if (contracts.ids.length === 0 && !this.#hasAny) return
    const calls = this.#callsOf(steps, probing)
    const { hasAny, short } = contracts.needs(calls, dialer, now)
    const everyMs = short ? askSoonMs : askEveryMs
    if (now - this.#askedAt < everyMs || !(hasAny || short || this.#hasAny)) return
    this.#askedAt = now
    const isGranted = await this.#ask(contracts.ask(calls, dialer, now))
    this.#hasAny = !isGranted || hasAny
  }

  /** False: the question failed, or nobody knows its outcome. */
  async #ask(wants: Wants): Promise<boolean> {
    const { deps, lease, log, trunks } = this.#session
    let grants: ContractGrants | null = null
    try {
      grants = await deps.polls.contracts.ask({ lease, wants })
    } catch (error) {
      log.warn({ error }, 'contracts could not be granted; asking again')
    } finally {
      trunks.contracts.answered(grants)
    }
    return grants !== null
  }

  /** By contract, how many calls could begin over its trunks. */
  #callsOf(steps: readonly Step[], probing: readonly number[]): Map<number, number> {
    const { contracts } = this.#session.trunks
    const calls = new Map<number, number>()
    const want = (trunkIds: readonly number[], n: number): void => {
      for (const id of new Set(trunkIds.flatMap((trunkId) => contracts.idOf(trunkId) ?? [])))
        calls.set(id, (calls.get(id) ?? 0) + n)
    }
    for (const { campaign, wanted } of steps) if (wanted > 0) want(trunkIdsOf(campaign), wanted)
    for (const trunkId of probing) want([trunkId], 1)
    return calls
  }
}
