import type { DialerConnection, Trunk, TrunkState } from '../../../drivers/telephony/driver.ts'
import { UnusableTrunkError, withGivenName, settingsTextOf, trunkName, trunkOf } from '../../model/calls/trunk-data.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import type { Failure } from '../connection/state.sql.ts'
import type { SessionContext } from '../connection/session-context.ts'
import type { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import type { TrunkRow } from '../../model/campaigns/snapshot.sql.ts'

const askEveryMs = 3000
const pushAgainMs = 2000
/** Screens take what was seen within 10 s as current. */
const seenEveryMs = 3000
/** Includes round trips, which change all the time. */
const writeEveryMs = 120_000

/** Whole ms. */
function roundTripOf(connection: DialerConnection | null): number | null {
  const ms = connection?.roundTripMs ?? null
  return ms === null ? null : Math.round(ms)
}

/** Configures the dialer's trunks, and stores the state of both for the screens. */
export class LiveState {
  readonly #context: SessionContext
  readonly #trunks: DialerTrunks
  readonly #health: TrunkHealthTracker
  #pushed: string | null = null
  /** The settings that the dialer has of each trunk. */
  #pushedSettings = new Map<number, string>()
  #pushedAt = -Infinity
  #pushing = false
  #states: readonly TrunkState[] = []
  #askedAt = -Infinity
  #asking = false
  /** Why a trunk cannot be used with its settings. */
  readonly #faults = new Map<number, Failure>()
  #dialerFailure: Failure | null = null
  #reachable: boolean | null = null
  #since: Date
  /** The last row written, when, and when it was last written that it is still true. */
  #written: string | null = null
  #writtenAt = -Infinity
  #seenAt = -Infinity
  #keeping: Promise<void> = Promise.resolve()

  constructor(context: SessionContext, trunks: DialerTrunks, health: TrunkHealthTracker) {
    this.#context = context
    this.#trunks = trunks
    this.#health = health
    this.#since = this.#now
  }

  get #now(): Date {
    return this.#context.deps.clock.now()
  }

  /** Configures all usable trunks: on every connect, even when nothing has changed. */
  async push(connection: DialerConnection): Promise<void> {
    const trunks = this.#trunks
    const { settingsText: text, rows } = trunks
    this.#pushedAt = performance.now()
    const settings = new Map(rows.map((row) => [row.id, settingsTextOf([row])]))
    await connection.setTrunks(rows.flatMap((row) => this.#usable(row) ?? []))
    await this.#ask(connection) // before any call, so that no unusable trunk is tried
    const before = this.#pushedSettings
    this.#pushed = text
    this.#pushedSettings = settings
    trunks.pushedTo(settings)
    for (const [id, now] of settings)
      if (before.has(id) && before.get(id) !== now && trunks.trunk(id)?.fault === null) this.#health.changed(id)
  }

  /** The dialer has the trunks as they are known here. */
  get isPushed(): boolean {
    return this.#pushed === this.#trunks.settingsText
  }

  /** Configures trunks that have changed since; to be repeated until `isPushed`. */
  pushChanges(connection: DialerConnection): void {
    if (this.#pushing || this.isPushed || performance.now() - this.#pushedAt < pushAgainMs) return
    this.#pushing = true
    this.push(connection)
      .catch((error: unknown) =>
        this.#context.log.error({ error }, 'the trunks could not be sent to the dialer; trying again'),
      )
      .finally(() => (this.#pushing = false))
  }

  dialerFailed(reason: string): void {
    this.#dialerFailure = { at: this.#now, reason }
  }

  /** Reads the present state, which may take the dialer some time. One reading at a time, so that the newest is written last. */
  async keep(connection: DialerConnection | null): Promise<void> {
    const keeping = this.#keeping.catch(() => undefined).then(() => this.#keep(connection))
    this.#keeping = keeping
    await keeping
  }

  async #keep(connection: DialerConnection | null): Promise<void> {
    const { deps, holder, switchboard, link } = this.#context
    const trunks = this.#trunks
    const lost = link.down
    const reason = lost?.reason ?? null
    if (this.#reachable !== (lost === null)) {
      this.#reachable = lost === null
      this.#since = lost ? new Date(this.#now.getTime() - (performance.now() - lost.since)) : this.#now
    }
    const isDue = performance.now() - this.#askedAt >= askEveryMs
    if (reason === null && connection && isDue && !this.#asking) void this.#ask(connection)
    const calls = switchboard.callsByTrunk
    const kept = trunks.kept()
    const dialer = {
      reason,
      returning: link.isReturning,
      since: this.#since,
      calls: [...calls.values()].reduce((sum, n) => sum + n, 0),
      channels: switchboard.legs,
      kept: kept.dialer,
      begun: trunks.begunLately(null),
      roundTripMs: reason === null ? roundTripOf(connection) : null,
      lastFailure: this.#dialerFailure,
    }
    const states = trunks.rows.map((row) => {
      const state = reason === null ? this.#stateOf(row.id) : undefined
      return {
        trunkId: row.id,
        reachable: state?.reachable ?? null,
        registered: state?.registered ?? null,
        unusable: trunks.trunk(row.id)?.fault ?? null,
        calls: calls.get(row.id) ?? 0,
        channels: switchboard.legsOfTrunk(row.id),
        kept: kept.trunks.get(row.id)?.own ?? 0,
        keptOfContract: kept.trunks.get(row.id)?.ofContract ?? 0,
        begun: trunks.begunLately(row.id),
        takes: trunks.takes(row.id),
        recent: trunks.recentOf(row.id),
        lastFailure: this.#lastFailureOf(row, state),
      }
    })
    await this.#write(JSON.stringify([{ ...dialer, roundTripMs: null }, states]), () =>
      deps.polls.states.ask({ lease: holder.lease, dialer, trunks: states }),
    )
  }

  /** Writes changes at once, also after the database was away. An unchanged state is only marked as seen, and written in full now and then. */
  async #write(text: string, write: () => Promise<unknown>): Promise<void> {
    const now = performance.now()
    if (text !== this.#written || now - this.#writtenAt >= writeEveryMs) {
      this.#written = null
      await write()
      this.#written = text
      this.#writtenAt = this.#seenAt = now
    } else if (now - this.#seenAt >= seenEveryMs) {
      const { deps, holder } = this.#context
      await deps.polls.seen.ask(holder.lease) // what was written last is still true
      this.#seenAt = now
    }
  }

  #usable(row: TrunkRow): Trunk | null {
    const { deps, log } = this.#context
    try {
      const trunk = trunkOf(row, this.#trunks.dialer.driver, deps.dialerSettings)
      this.#faults.delete(row.id)
      return trunk
    } catch (error) {
      if (!(error instanceof UnusableTrunkError)) throw error
      log.error({ trunkId: row.id, reason: error.message }, 'a trunk cannot be used')
      this.#faults.set(row.id, { at: this.#now, reason: error.message })
      return null
    }
  }

  #stateOf(trunkId: number): TrunkState | undefined {
    return this.#states.find((state) => state.name === trunkName(trunkId))
  }

  /** A fault of its settings outlasts what its calls met. */
  #lastFailureOf(row: TrunkRow, state: TrunkState | undefined): Failure | null {
    const fault = this.#faults.get(row.id)
    if (fault) return fault
    const failure = state?.lastFailure
    return failure ? { at: new Date(failure.at), reason: withGivenName(failure.reason, row) } : null
  }

  async #ask(connection: DialerConnection): Promise<void> {
    const trunks = this.#trunks
    this.#asking = true
    this.#askedAt = performance.now()
    try {
      this.#states = await connection.trunkStates()
    } catch (error) {
      this.#states = []
      this.#context.log.warn({ error }, 'the dialer does not report its trunks')
    } finally {
      this.#asking = false
    }
    const faults = trunks.rows.flatMap((row) => {
      const fault = this.#faults.get(row.id)?.reason ?? this.#stateOf(row.id)?.fault
      return fault ? [[row.id, withGivenName(fault, row)] as const] : []
    })
    trunks.faultsAre(new Map(faults))
  }
}
