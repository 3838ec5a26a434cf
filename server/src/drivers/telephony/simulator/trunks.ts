import type { HungUp, PingReply, TrunkState } from '../driver.ts'
import { silentCause } from '../../../lib/trunk-limits.ts'
import { faultOf, notAsked } from '../../../lib/trunk-failure.ts'
import { LimitedOperator, type OperatorLimit } from './limit.ts'
import type { CallFault, Script, TrunkFault, TrunkFlaw } from './numbers.ts'

const unusable = 'the dialer does not take its settings: as the test wants it'

type Setting = {
  name: string
  host: string
  port: number
  registers: boolean
  options: { sendsOptions: boolean; silentSeconds: number; hosts: readonly string[] }
}
type SimulatedTrunk = Setting['options'] & { registers: boolean; lastFailure: TrunkState['lastFailure'] }
type Called = { trunk: string; host: string; notHosts: readonly string[] }

export class Trunks {
  #trunks = new Map<string, SimulatedTrunk>()
  readonly #faults = new Map<string, { fault: TrunkFault; host: string | undefined }>()
  readonly #flaws = new Map<string, TrunkFlaw>()
  readonly #operators = new Map<string, LimitedOperator>()

  set(trunks: readonly Setting[]): void {
    const lastFailure = (name: string) => this.#trunks.get(name)?.lastFailure ?? null
    this.#trunks = new Map(
      trunks.map(({ name, host, port, registers, options: { sendsOptions, silentSeconds, hosts } }) => {
        const all = [`${host}:${port}`, ...hosts]
        return [name, { registers, sendsOptions, silentSeconds, hosts: all, lastFailure: lastFailure(name) }] as const
      }),
    )
  }

  setFault(trunk: string, fault: TrunkFault | null, host?: string): void {
    if (fault) this.#faults.set(trunk, { fault, host })
    else this.#faults.delete(trunk)
  }

  /** The first of the trunk's hosts that the attempt did not try. */
  hostOf(trunk: string, notHosts: readonly string[]): string | undefined {
    return this.#trunks.get(trunk)?.hosts.find((host) => !notHosts.includes(host))
  }

  #faultOf(trunk: string, host?: string): TrunkFault | undefined {
    const set = this.#faults.get(trunk)
    return set && (set.host === undefined || set.host === host) ? set.fault : undefined
  }

  setFlaw(trunk: string, flaw: TrunkFlaw | null): void {
    if (flaw) this.#flaws.set(trunk, flaw)
    else this.#flaws.delete(trunk)
  }

  flawOf(trunk: string): TrunkFlaw | null {
    return this.#flaws.get(trunk) ?? null
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
  unavailableReason(name: string): string | null {
    const trunk = this.#trunks.get(name)
    if (!trunk) return `trunk ${name} is not known to the dialer`
    const fault = this.#faultOf(name)
    if (fault !== 'unreachable' && fault !== 'unusable') return null
    const reason = fault === 'unusable' ? `trunk ${name}: ${unusable}` : `trunk ${name} is unreachable`
    trunk.lastFailure = { at: Date.now(), reason }
    return reason
  }

  faultOf(name: string, host: string): CallFault | null {
    const fault = this.#faultOf(name, host)
    return fault === undefined || fault === 'unreachable' || fault === 'unusable' ? null : fault
  }

  /** When a call that nobody answers ends, and with which cause: to an empty script the network replies nothing at all. */
  ringLimit({ trunk, ringMs }: { trunk: string; ringMs: number }, script: Script): { ms: number; cause: number } {
    const silentMs = (this.#trunks.get(trunk)?.silentSeconds ?? Infinity) * 1000
    return script.length === 0 && silentMs < ringMs ? { ms: silentMs, cause: silentCause } : { ms: ringMs, cause: 19 }
  }

  /** Returns what is reported. */
  ended({ trunk: name, host, notHosts }: Called, end: HungUp): HungUp {
    const trunk = this.#trunks.get(name)
    const reason = faultOf(end)
    if (!trunk || !reason) return end
    trunk.lastFailure = { at: end.at, reason }
    const isHosts = !end.alerted && (end.sipStatus === null || end.sipStatus >= 500)
    const isElsewhere = isHosts && this.hostOf(name, [...notHosts, host]) !== undefined
    return isElsewhere ? { ...end, failedHost: host } : end
  }

  states(): TrunkState[] {
    return [...this.#trunks].map(([name, { registers, sendsOptions, lastFailure }]) => {
      const fault = this.#faultOf(name)
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
