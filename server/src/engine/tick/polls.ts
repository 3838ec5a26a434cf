import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { settings } from '../../modules/platform/rules.ts'
import { BatchedQuery } from './batched-query.ts'
import { dueDialers } from './due-dialers.sql.ts'
import { openAttemptsOf, renewAll, type OpenAttempt } from '../lease/lease.sql.ts'
import { keepStates, stillSeen, type StateAsk } from '../trunks/state/state.sql.ts'
import type { Lease, Queryable } from '../statement.ts'
import { Snapshots } from '../schedule/snapshot/snapshots.ts'
import { grantChannels, type ChannelAsk, type FreeChannels } from '../schedule/capacity/channels.sql.ts'
import { grantContracts, type ContractAsk, type ContractGrants } from '../schedule/capacity/contracts.sql.ts'
import { writeProgress, type ProgressAsk } from '../settle/progress.sql.ts'
import { loadSetting } from '../schedule/snapshot/snapshot.sql.ts'

/** Until leases that a statement under way had locked are renewed again. */
const renewAgainMs = 60

/**
 * Questions that each dialer of this process asks the database again and again, although mostly nothing has happened. They are asked for all
 * dialers at once, so that an idle dialer costs no transaction. Each dialer acts on its answer under its own lease.
 */
export class Polls {
  readonly snapshots: Snapshots
  /** Whether the dialer has a campaign that does not only wait for something outside. */
  readonly active = new Flagged()
  /** Whether it has campaigns, all of which do. */
  readonly waiting = new Flagged()
  /** Whether somebody asked for a test of one of its trunks. */
  readonly tests = new Flagged()
  /** Whether a recording is to be fetched from it. */
  readonly recordings = new Flagged()
  readonly openAttempts: BatchedQuery<number, OpenAttempt[]>
  /** For how many minutes the calls of a dialer that does not answer are waited for. */
  readonly waitMinutes: BatchedQuery<number, number>
  /** The stored state of dialer and trunks has not changed. */
  readonly seen: BatchedQuery<Lease, true>
  /** False: it was not renewed together with others, which does not mean that it is lost. */
  readonly renewals: BatchedQuery<Lease, boolean>
  /** How many calls of accounts a dialer may begin, after it asked for more. */
  readonly channels: BatchedQuery<ChannelAsk, FreeChannels>

  /** What a dialer may use of contracts, after it reported what it uses. */
  readonly contracts: BatchedQuery<ContractAsk, ContractGrants>

  /** The sums of campaigns for the screens: one statement at a time, so that no older sum overwrites a newer one. */
  readonly progress: BatchedQuery<ProgressAsk, true>
  /** The state of a dialer and its trunks, for the screens. */
  readonly states: BatchedQuery<StateAsk, true>

  readonly #db: Queryable
  readonly #whenDue = new Map<number, () => void>()

  constructor(db: Queryable, leaseMs: number) {
    this.#db = db
    this.snapshots = new Snapshots(db)
    this.openAttempts = new BatchedQuery(async (ids) => {
      const open = Map.groupBy(await openAttemptsOf(db, ids), (one) => one.dialer_id)
      return new Map(ids.map((id) => [id, open.get(id) ?? []]))
    })
    this.waitMinutes = new BatchedQuery(async (ids) => {
      const { key, schema, fallback } = settings.dialerWaitMinutes
      const minutes = z.parse(schema, (await loadSetting(db, key)) ?? fallback)
      return new Map(ids.map((id) => [id, minutes]))
    })
    this.seen = new BatchedQuery(async (leases) => {
      await stillSeen(db, leases)
      return new Map(leases.map((lease) => [lease, true]))
    })
    this.channels = new BatchedQuery(async (asks) => {
      const free = await grantChannels(db, asks)
      return new Map(asks.map((ask) => [ask, free.get(ask.lease.dialerId) ?? new Map<number, number>()]))
    })
    this.contracts = new BatchedQuery(async (asks) => {
      const granted = await grantContracts(db, asks)
      return new Map(asks.map((ask) => [ask, granted.get(ask.lease.dialerId) ?? new Map<number, never>()]))
    })
    let progress: Promise<unknown> = Promise.resolve()
    this.progress = new BatchedQuery(async (asks) => {
      const written = progress.then(() => writeProgress(db, asks))
      progress = written.catch(() => undefined)
      await written
      return new Map(asks.map((ask) => [ask, true] as const))
    })
    this.states = new BatchedQuery(async (asks) => {
      await keepStates(db, asks)
      return new Map(asks.map((ask) => [ask, true] as const))
    })
    this.renewals = new BatchedQuery(async (leases) => {
      const renewed = new Set(await renewAll(db, leases, leaseMs))
      for (let again = 0; again < 2 && renewed.size < leases.length; again++) {
        await sleep(renewAgainMs) // what calls did is written under all leases at once
        const rest = leases.filter(({ dialerId }) => !renewed.has(dialerId))
        for (const dialerId of await renewAll(db, rest, leaseMs)) renewed.add(dialerId)
      }
      return new Map(leases.map((lease) => [lease, renewed.has(lease.dialerId)]))
    })
  }

  /** Reads which dialers have something to do, and tells these. */
  async read(): Promise<void> {
    const due = Map.groupBy(await dueDialers(this.#db), ({ what }) => what)
    for (const what of ['active', 'waiting', 'tests', 'recordings'] as const)
      this[what].are((due.get(what) ?? []).map((row) => row.dialer_id))
    this.snapshots.version = due.get('lines')?.[0]?.version ?? null
    for (const [dialerId, go] of this.#whenDue) if (this.isDue(dialerId)) go()
  }

  /** The dialer has something to do that does not wait. */
  isDue(dialerId: number): boolean {
    return [this.active, this.tests, this.recordings].some((flagged) => flagged.has(dialerId))
  }

  /** `go`: called after each poll in which the dialer has something to do. */
  whenDue(dialerId: number, go: () => void): void {
    this.#whenDue.set(dialerId, go)
  }

  /** Another engine holds the dialer. */
  forget(dialerId: number): void {
    this.#whenDue.delete(dialerId)
    this.snapshots.forget(dialerId)
  }
}

/** Dialers for which something holds, as last read. Hundreds of idle dialers can ask without waiting. */
class Flagged {
  #dialerIds: ReadonlySet<number> = new Set()

  are(dialerIds: readonly number[]): void {
    this.#dialerIds = new Set(dialerIds)
  }

  has(dialerId: number): boolean {
    return this.#dialerIds.has(dialerId)
  }
}
