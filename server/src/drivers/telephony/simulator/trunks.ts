import type { HungUp, PingReply, TrunkState } from '../driver.ts'
import { faultOf, notAsked } from '../../../lib/trunk-failure.ts'
import { LimitedOperator, type OperatorLimit } from './limit.ts'
import type { CallFault, TrunkFault } from './numbers.ts'

const unusable = 'the dialer does not take its settings: as the test wants it'

type Setting = { name: string; registers: boolean; options: { sendsOptions: boolean } }
type SimulatedTrunk = { registers: boolean; sendsOptions: boolean; lastFailure: TrunkState['lastFailure'] }

export class Trunks {
  #trunks = new Map<string, SimulatedTrunk>()
  readonly #faults = new Map<string, TrunkFault>()
  readonly #operators = new Map<string, LimitedOperator>()

  set(trunks: readonly Setting[]): void {
    const lastFailure = (name: string) => this.#trunks.get(name)?.lastFailure ?? null
    this.#trunks = new Map(
      trunks.map(({ name, registers, options: { sendsOptions } }) => {
        return [name, { registers, sendsOptions, lastFailure: lastFailure(name) }] as const
      }),
    )
  }

  setFault(trunk: string, fault: TrunkFault | null): void {
    if (fault) this.#faults.set(trunk, fault)
    else this.#faults.delete(trunk)
  }

  setLimit(trunk: string, limit: OperatorLimit | null): void {
    if (limit) this.#operators.set(trunk, new LimitedOperator(limit))
    else this.#operators.delete(trunk)
  }

  /** The limit that refuses a call now; null when it is accepted. Calls per second are real, however fast calls pass. */
  fullFor(trunk: string, now: number): OperatorLimit | null {
    const operator = this.#operators.get(trunk)
    return operator && !operator.takes(now) ? operator.limit : null
  }

  /** Why it takes no calls at all; null when it does. */
  obstacle(name: string): string | null {
    const trunk = this.#trunks.get(name)
    if (!trunk) return `trunk ${name} is not known to the dialer`
    const fault = this.#faults.get(name)
    if (fault !== 'unreachable' && fault !== 'unusable') return null
    const reason = fault === 'unusable' ? `trunk ${name}: ${unusable}` : `trunk ${name} is unreachable`
    trunk.lastFailure = { at: Date.now(), reason }
    return reason
  }

  faultOf(name: string): CallFault | null {
    const fault = this.#faults.get(name)
    return fault === undefined || fault === 'unreachable' || fault === 'unusable' ? null : fault
  }

  ended(name: string, end: HungUp): void {
    const trunk = this.#trunks.get(name)
    const reason = faultOf(end)
    if (trunk && reason) trunk.lastFailure = { at: end.at, reason }
  }

  states(): TrunkState[] {
    return [...this.#trunks].map(([name, { registers, sendsOptions, lastFailure }]) => {
      const fault = this.#faults.get(name)
      const reachable = fault === 'unusable' ? null : fault !== 'unreachable' && fault !== 'silent'
      const registered = !registers
        ? null
        : fault === 'wrongPassword'
          ? 'rejected'
          : reachable
            ? 'registered'
            : 'unregistered'
      return {
        name,
        reachable: sendsOptions ? reachable : null,
        registered,
        roundTripMs: reachable && sendsOptions ? 1 : null,
        fault: fault === 'unusable' ? unusable : null,
        lastFailure,
      }
    })
  }

  ping(name: string): PingReply {
    const state = this.states().find((trunk) => trunk.name === name)
    if (!state) return { reachable: false, reason: `trunk ${name} is not known to the dialer` }
    if (!this.#trunks.get(name)?.sendsOptions) return { reachable: false, reason: notAsked(name) }
    if (state.reachable) return { reachable: true, roundTripMs: state.roundTripMs }
    return { reachable: false, reason: `trunk ${name} does not answer` }
  }
}
