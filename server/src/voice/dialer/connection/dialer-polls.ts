import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { settings } from '../../../modules/platform/rules.ts'
import { openAttemptsOf, renewAll, type OpenAttempt } from '../../../dispatch/lease/lease.sql.ts'
import { grantContracts, type ContractAsk, type ContractGrants } from '../trunks/limits/contracts.sql.ts'
import { loadSetting } from '../../model/campaigns/snapshot.sql.ts'
import { writeProgress, type ProgressAsk } from '../../settle/progress.sql.ts'
import type { Lease, Queryable } from '../../../dispatch/statement.ts'
import { BatchedQuery } from '../../../dispatch/rounds/batched-query.ts'
import { Flagged } from '../../../dispatch/rounds/flagged.ts'
import { keepStates, stillSeen, type StateAsk } from './state.sql.ts'

/** Until leases that a statement under way had locked are renewed again. */
const renewAgainMs = 60

/** What sessions ask the database again and again, for all dialers of this process at once. Each acts on its answer under its own lease. */
export class DialerPolls {
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
  /** What a dialer may use of contracts, after it reported what it uses. */
  readonly contracts: BatchedQuery<ContractAsk, ContractGrants>
  /** The sums of campaigns for the screens: one statement at a time, so that no older sum overwrites a newer one. */
  readonly progress: BatchedQuery<ProgressAsk, true>
  /** The state of a dialer and its trunks, for the screens. */
  readonly states: BatchedQuery<StateAsk, true>

  constructor(db: Queryable, leaseMs: number) {
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
}
