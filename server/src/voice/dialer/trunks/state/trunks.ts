import { ringSecondsDefault } from '@ghanti/contract/values.ts'
import { AgentRoom } from '../limits/agent-room.ts'
import { Contracts } from '../limits/contracts.ts'
import { carries, isSet, newTrunk, rulesOf, type Trunk } from './known-trunk.ts'
import { settingsMark, settingsTextOf } from '../../../model/calls/trunk-data.ts'
import { RateLimiter, type Capacity } from '../../../../dispatch/turns/pacing.ts'
import type { DispositionRule, TrunkSign } from '../../../model/calls/disposition.ts'
import type { Plan } from '../../../model/calls/plan.ts'
import type { Switchboard } from '../../call/switchboard.ts'
import {
  openedForRefusals,
  observe,
  probeDue,
  withProbeDue,
  type ObservedCall,
  type Observed,
  type TrunkHealth,
} from './circuit-breaker.ts'
import { trunkIdsOf, type Routed, type Showing } from '../../../model/campaigns/route.ts'
import { ShownClis } from '../limits/shown-clis.ts'
import { TrunkRate, type RatedCall } from '../limits/trunk-rate.ts'
import type { Streamed } from '../../../model/campaigns/streams.ts'
import { words } from '../../../model/campaigns/words.ts'
import type { DialerRow, TrunkRow } from '../../../model/campaigns/snapshot.sql.ts'

const recentMax = 100

/** What a tick needs to know of the trunk. `isSet`: the dialer has its present settings. */
export type TrunkNow = { id: number; name: string; health: TrunkHealth; isSet: boolean; fault: string | null }

/** Channels that calls leave to agents; by trunk, its own and those of its contract's part. */
type KeptChannels = { dialer: number; trunks: ReadonlyMap<number, { own: number; ofContract: number }> }

/** Where a campaign's calls go. */
type OfCli = Routed & Streamed & Showing

/** A trunk's circuit breaker opened, or stays open for longer (`opened`), or closed (null). */
export type HealthChange = { trunkId: number; opened: TrunkHealth['opened'] }

/** The dialer's trunks: how many calls may begin over each, and how well they carry them. One engine at a time counts a dialer's calls. */
export class DialerTrunks {
  #dialer: DialerRow
  #rows: readonly TrunkRow[] | null = null
  #settingsText = ''
  readonly #limiter = new RateLimiter(performance.now())
  readonly #trunks = new Map<number, Trunk>()
  readonly clis: ShownClis
  readonly contracts: Contracts
  readonly agents: AgentRoom
  readonly #switchboard: Switchboard
  /** Channels of calls that are being claimed, by trunk; nobody else may take them meanwhile. */
  #promised: ReadonlyMap<number, number> = new Map()
  /** What was kept when calls were last shared out. */
  #kept: KeptChannels = { dialer: 0, trunks: new Map() }

  constructor(dialer: DialerRow, trunks: readonly TrunkRow[], switchboard: Switchboard) {
    this.#dialer = dialer
    this.#switchboard = switchboard
    this.clis = new ShownClis(switchboard)
    this.agents = new AgentRoom(switchboard)
    this.contracts = new Contracts(switchboard, this.agents)
    this.update(dialer, trunks)
  }

  get dialer(): DialerRow {
    return this.#dialer
  }

  /** Takes the trunks as the database has them now. */
  update(dialer: DialerRow, rows: readonly TrunkRow[]): void {
    if (dialer === this.#dialer && rows === this.#rows) return
    this.#dialer = dialer
    this.#rows = rows
    this.clis.update(rows)
    this.contracts.update(rows)
    for (const id of this.#trunks.keys()) if (!rows.some((row) => row.id === id)) this.#trunks.delete(id)
    for (const row of rows) {
      const known = this.#trunks.get(row.id)
      if (known) Object.assign(known, { row, rules: rulesOf(row), settings: settingsTextOf([row]) })
      else this.#trunks.set(row.id, newTrunk(dialer, row))
    }
    this.#settingsText = settingsTextOf(this.rows)
  }

  /** The dialer is not given up any more, whatever was last read of it. */
  takenBack(): void {
    this.#dialer = { ...this.#dialer, given_up: false }
  }

  trunk(id: number): TrunkNow | null {
    const trunk = this.#trunks.get(id)
    if (!trunk) return null
    const { row, health, fault } = trunk
    return { id, name: row.name, health, isSet: isSet(trunk), fault }
  }

  /** The trunk of a campaign whose calls go first: one that can carry calls now if there is any. Null: none of them exists. */
  foremost(campaign: Routed & Streamed, isBlocked: (trunkId: number) => boolean): TrunkNow | null {
    const own = trunkIdsOf(campaign).flatMap((trunkId) => this.trunk(trunkId) ?? [])
    return own.find(({ id }) => this.carries(id) && !isBlocked(id)) ?? own[0] ?? null
  }

  /** The dialer has these settings, by trunk. Until it had them, calls would meet a missing or half-configured trunk. */
  pushedTo(settings: ReadonlyMap<number, string>): void {
    for (const [id, trunk] of this.#trunks) trunk.pushedSettings = settings.get(id) ?? trunk.pushedSettings
  }

  /** Why trunks cannot be used with their settings. Trunks that are not named can. */
  faultsAre(faults: ReadonlyMap<number, string>): void {
    for (const [id, trunk] of this.#trunks) trunk.fault = faults.get(id) ?? null
  }

  get rows(): TrunkRow[] {
    return [...this.#trunks.values()].map(({ row }) => row)
  }

  /** Stored with its open breaker. */
  markOf(trunkId: number): string | null {
    const row = this.#trunks.get(trunkId)?.row
    return row ? settingsMark(this.#dialer, row) : null
  }

  /** Changes with every setting of the trunks that is sent to the dialer. */
  get settingsText(): string {
    return this.#settingsText
  }

  /** Calls that began within the last second, over the trunk or on the whole dialer. */
  begunLately(trunkId: number | null): number {
    const limiter = trunkId === null ? this.#limiter : this.#trunks.get(trunkId)?.limiter
    return limiter?.begunLately(performance.now()) ?? 0
  }

  recentOf(trunkId: number): string {
    return this.#trunks.get(trunkId)?.recent ?? ''
  }

  /** A call over the trunk ended by itself, and not because we cut it. */
  ended(trunkId: number, answered: boolean): void {
    const trunk = this.#trunks.get(trunkId)
    if (trunk) trunk.recent = `${trunk.recent}${answered ? '1' : '0'}`.slice(-recentMax)
  }

  rulesOf(trunkId: number): readonly DispositionRule[] {
    return this.#trunks.get(trunkId)?.rules ?? []
  }

  /**
   * How many calls may be claimed: what channels and calls per second allow within `ms`, less the calls that are claimed and wait for their
   * moment, and the channels that are kept for agents. One whose breaker is open allows none.
   */
  room(campaigns: readonly OfCli[], queued: ReadonlyMap<number, number>, ms: number): Capacity {
    const now = performance.now()
    const trunks = new Map<number, number>()
    const inUse = new Map<number, number>()
    const keeping = this.agents.now()
    const contracts = this.contracts.room(queued, ms, now, keeping)
    const kept = this.kept(keeping)
    this.#kept = kept
    let waiting = 0
    for (const [id, trunk] of this.#trunks) {
      const { row, health, limiter, rate } = trunk
      const queue = queued.get(id) ?? 0
      waiting += queue
      const legs = this.#switchboard.legsOfTrunk(id)
      const channels = row.channels - legs - (kept.trunks.get(id)?.own ?? 0)
      inUse.set(id, legs)
      trunks.set(
        id,
        health.opened || !carries(trunk)
          ? 0
          : Math.max(
              0,
              Math.min(
                channels,
                limiter.roomWithin(rate.allowed(row.cps, now), ms, now) - queue,
                contracts.room.get(row.contract?.id ?? 0) ?? Infinity,
              ),
            ),
      )
    }
    const channels = this.#dialer.channels - this.#switchboard.legs - kept.dialer
    const dialer = Math.max(0, Math.min(channels, this.#limiter.roomWithin(this.#dialer.cps, ms, now) - waiting))
    return { dialer, trunks, inUse, clis: this.clis.room(campaigns), contracts }
  }

  kept(keeping = this.agents.now()): KeptChannels {
    const ofTrunk = ({ id, channels }: TrunkRow) => ({
      own: keeping([id], channels),
      ofContract: this.contracts.keptOver(id, keeping),
    })
    const trunks = new Map(this.rows.map((row) => [row.id, ofTrunk(row)]))
    return { dialer: keeping(null, this.#dialer.channels), trunks }
  }

  /** Whether a call may begin over the trunk at this moment. If so, it counts as begun. */
  beginsNow(trunkId: number): boolean {
    const now = performance.now()
    const trunk = this.#trunks.get(trunkId)
    if (!trunk || !carries(trunk)) return false
    if (
      !trunk.limiter.mayBegin(trunk.rate.allowed(trunk.row.cps, now), now) ||
      !this.#limiter.mayBegin(this.#dialer.cps, now) ||
      !this.contracts.mayBegin(trunkId, now)
    )
      return false
    this.legBegins(trunkId)
    return true
  }

  /** An agent's leg begins, whatever the rate. */
  legBegins(trunkId: number): void {
    const now = performance.now()
    this.#limiter.begins(now)
    this.contracts.begins(trunkId, now)
    const trunk = this.#trunks.get(trunkId)
    trunk?.limiter.begins(now)
    trunk?.rate.began()
  }

  /** Reserves room for calls of the trunks that are about to be claimed, until the next reservation. */
  promise(calls: ReadonlyMap<number, number>): void {
    this.#promised = calls
  }

  legFree(trunkId: number): boolean {
    const trunk = this.#trunks.get(trunkId)
    const promised = [...this.#promised.values()].reduce((sum, calls) => sum + calls, 0)
    if (!trunk || this.#switchboard.legs + promised >= this.#dialer.channels) return false
    return this.#switchboard.legsOfTrunk(trunkId) + (this.#promised.get(trunkId) ?? 0) < trunk.row.channels
  }

  /**
   * What keeps a campaign's calls from beginning over all of its trunks, as a sentence: a dialer or trunk that is set to no calls, or whose
   * channels are all taken. Null: only their rate.
   */
  inTheWay(campaign: OfCli): string | null {
    const reasons = trunkIdsOf(campaign).map((trunkId) => this.inTheWayOver(campaign, trunkId))
    return reasons.includes(null) ? null : (reasons[0] ?? null)
  }

  /** The same over one trunk. */
  inTheWayOver(campaign: OfCli, trunkId: number): string | null {
    const [taken, kept] = [this.#switchboard.legs, this.#kept.dialer]
    const dialer = { ...this.#dialer, whose: `dialer ${this.#dialer.name}`, taken, kept }
    const row = this.#trunks.get(trunkId)?.row
    const limits = [dialer]
    if (row)
      limits.push({
        ...dialer,
        ...row,
        whose: `trunk ${row.name}`,
        taken: this.#switchboard.legsOfTrunk(row.id),
        kept: this.#kept.trunks.get(row.id)?.own ?? 0,
      })
    const off = limits.find(({ cps, channels }) => cps === 0 || channels === 0)
    if (off) return words.noRate(off.whose)
    const full = limits.find(({ taken, channels }) => taken >= channels)
    if (full) return words.channelsBusy(full.channels, full.whose)
    const keeping = limits.find(({ taken, kept, channels }) => taken + kept >= channels)
    if (keeping) return words.channelsKept(keeping.whose)
    return this.contracts.inTheWay(trunkId) ?? this.clis.inTheWay(campaign, row)
  }

  /** Trunks whose breaker is open and whose next probe is due and that have none in flight. */
  probesDue(now: number): number[] {
    const isDue = (trunk: Trunk): boolean => carries(trunk) && !trunk.probing && probeDue(trunk.health, now)
    const due = [...this.#trunks].filter(([, trunk]) => isDue(trunk))
    return due.map(([id]) => id)
  }

  /** When a call of the account last rang over the trunk, in Unix ms. Null: none has since the engine started. */
  rangAt(trunkId: number, accountId: number): number | null {
    return this.#trunks.get(trunkId)?.rangAt.get(accountId) ?? null
  }

  probing(trunkId: number, probing: boolean): void {
    const trunk = this.#trunks.get(trunkId)
    if (!trunk) return
    trunk.probing = probing
    if (probing) trunk.mended = false
  }

  /** The trunk may have been mended: if its breaker is open, its probe is due at once. */
  mended(trunkId: number, now: number): HealthChange | null {
    const trunk = this.#trunks.get(trunkId)
    if (!trunk?.health.opened) return null
    trunk.mended = trunk.probing
    return changed(trunk, withProbeDue(trunk.health, now))
  }

  /** All calls over the trunk are refused alike. */
  openBreaker(trunkId: number, reason: string, now: number, timeScale: number): HealthChange | null {
    const trunk = this.#trunks.get(trunkId)
    return trunk ? changed(trunk, openedForRefusals(trunk.health, reason, now, timeScale)) : null
  }

  /** Whether calls may use it. */
  carries(trunkId: number): boolean {
    const trunk = this.#trunks.get(trunkId)
    return trunk !== undefined && carries(trunk) && trunk.health.opened === null
  }

  tookCall(trunkId: number, call: Omit<RatedCall, 'now'>): void {
    this.#trunks.get(trunkId)?.rate.passed({ ...call, now: performance.now() })
  }

  /** The operator had no room for the call. True: this happened so often that fewer calls begin from now on. */
  noRoom(trunkId: number, call: Omit<RatedCall, 'now'>, retryAfterMs: number): boolean {
    const trunk = this.#trunks.get(trunkId)
    if (!trunk) return false
    const now = performance.now()
    trunk.refused = [...trunk.refused.filter((at) => now - at < 1000), now]
    const taken = trunk.limiter.begunLately(now) - trunk.refused.length
    return trunk.rate.refused({ ...call, contract: trunk.row.cps, taken, retryAfterMs, now })
  }

  /** How many calls a second its operator takes now. Null: as many as are asked for. */
  takes(trunkId: number): number | null {
    const trunk = this.#trunks.get(trunkId)
    return trunk?.rate.takes(trunk.row.cps, performance.now()) ?? null
  }

  /** The trunk was changed, so what its operator takes has to be found out again. */
  asContracted(trunkId: number): void {
    const trunk = this.#trunks.get(trunkId)
    if (trunk) trunk.rate = new TrunkRate()
  }

  /** Why a campaign's calls go out slower than the contracts of its trunks say. Null: they do not, over one of them at least. */
  slowedInWords(campaign: Routed & Streamed): string | null {
    const reasons = trunkIdsOf(campaign).map((trunkId) => this.#slowedOver(trunkId))
    return reasons.includes(null) ? null : (reasons[0] ?? null)
  }

  #slowedOver(trunkId: number): string | null {
    const row = this.#trunks.get(trunkId)?.row
    const takes = this.takes(trunkId)
    return row && takes !== null ? words.operatorTakes(row.name, row.cps, Number(takes.toPrecision(2))) : null
  }

  /** How long a campaign's call may ring over its trunk. */
  ringMs(trunkId: number, { ringMs }: Pick<Plan, 'ringMs'>): number {
    const ofTrunk = (this.#trunks.get(trunkId)?.row.ring_seconds ?? ringSecondsDefault) * 1000
    return Math.min(ofTrunk, ringMs ?? Infinity)
  }

  testNumberOf(trunkId: number): number | null {
    return this.#trunks.get(trunkId)?.row.test_number ?? null
  }

  /** A call over the trunk rang or ended. `change` is null when the breaker neither opened nor closed. */
  observe(
    trunkId: number,
    sign: TrunkSign,
    call: ObservedCall,
  ): Omit<Observed, 'health'> & { change: HealthChange | null } {
    const trunk = this.#trunks.get(trunkId)
    if (!trunk) return { isFault: false, campaigns: null, change: null }
    if (call.rang) trunk.rangAt.set(call.accountId, call.now)
    const { health, ...what } = observe(trunk.health, { ...call, sign })
    return { ...what, change: changed(trunk, call.probe && trunk.mended ? withProbeDue(health, call.now) : health) }
  }
}

function changed(trunk: Trunk, health: TrunkHealth): HealthChange | null {
  const before = trunk.health.opened
  trunk.health = health
  return health.opened === before ? null : { trunkId: trunk.row.id, opened: health.opened }
}
