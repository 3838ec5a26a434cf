import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isSeenRecently } from '../../db/seen-recently.ts'

/** A group has the channels of its members. */
export const channelsShown = sql<number>`case when cli.is_group then (select coalesce(sum(n.channels), 0)::int from cli_member m join cli n on n.id = m.cli_id
  join trunk t on t.id = n.trunk_id where m.group_id = cli.id and t.deleted_at is null) else cli.channels end`

export type HeldCli = { cliId: number; trunkId: number | null; dialerId: number | null; channels: number }

/**
 * Locks the held CLI, so that until the transaction ends nobody takes it away or moves its trunk to another dialer. The route is read in a
 * second statement: one that waited for a lock sees the other tables as they were before.
 */
export async function lockHeldCli(tx: Tx, holderId: number, number: string): Promise<HeldCli | undefined> {
  const held = await tx
    .selectFrom('cli')
    .innerJoin('cli_holder', 'cli_holder.cli_id', 'cli.id')
    .select('cli.id')
    .where('cli.number', '=', number)
    .where('cli.deleted_at', 'is', null)
    .where('cli_holder.account_id', '=', holderId)
    .forShare(['cli', 'cli_holder'])
    .executeTakeFirst()
  if (!held) return undefined
  return tx
    .selectFrom('cli')
    .leftJoin('trunk', (on) => on.onRef('trunk.id', '=', 'cli.trunk_id').on('trunk.deleted_at', 'is', null))
    .leftJoin('dialer', (on) => on.onRef('dialer.id', '=', 'trunk.dialer_id').on('dialer.deleted_at', 'is', null))
    .select(['cli.id as cliId', 'trunk.id as trunkId', 'dialer.id as dialerId'])
    .select(channelsShown.as('channels'))
    .where('cli.id', '=', held.id)
    .executeTakeFirst()
}

/** The number of `wanted` if the account holds it and it has a trunk, else of the oldest CLI for which both hold. */
export async function activeCliOf(tx: Tx, holderId: number, wanted: number): Promise<string | undefined> {
  const held = await tx
    .selectFrom('cli_holder')
    .innerJoin('cli', 'cli.id', 'cli_holder.cli_id')
    .innerJoin('trunk', 'trunk.id', 'cli.trunk_id')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .select('cli.number')
    .where('cli_holder.account_id', '=', holderId)
    .where('cli.deleted_at', 'is', null)
    .where('trunk.deleted_at', 'is', null)
    .where('dialer.deleted_at', 'is', null)
    .orderBy(sql`cli.id <> ${wanted}`)
    .orderBy('cli.id')
    .limit(1)
    .executeTakeFirst()
  return held?.number
}

export type LineCaps = {
  driver: string
  cli: string
  isGroup: boolean
  trunk: string
  dialer: string
  cliChannels: number
  trunkChannels: number
  trunkCps: number
  /** The other trunks of its route, and their dialers. */
  otherTrunks: { trunkId: number; dialerId: number }[]
  dialerChannels: number
  dialerCps: number
  /** Sentences that say why the dialer has not answered for a while, and why the trunk's settings allow no calls. Null when there is no such problem. */
  dialerDown: string | null
  unusable: string | null
  /** The trunk's circuit breaker is open. */
  held: { reason: string; probeAt: Date } | null
}

/** Shorter absences are over before anybody notices. */
const awayMs = 10_000

/** The combined limits of its route's trunks that are not on hold, because calls overflow to the next trunk. Without a route, its trunk's limits. */
const ofRoute = (column: 'channels' | 'cps') => sql<number>`coalesce((
  select sum(t.${sql.ref(column)})::int from call_route_step s join trunk t on t.id = s.trunk_id left join trunk_health h on h.trunk_id = t.id
   where s.route_id = cli.route_id and t.deleted_at is null and h.held_since is null
     and not exists (select from dial_block b where b.lifted_at is null and b.kind = 'trunk' and b.target_id = t.id)
  ), trunk.${sql.ref(column)})`

/** Another trunk of its route is known to carry calls. */
const anotherCarries = sql<boolean>`exists (
  select from call_route_step s join trunk_state on trunk_state.trunk_id = s.trunk_id and ${isSeenRecently('trunk_state.seen_at')}
    left join trunk_health h on h.trunk_id = s.trunk_id
   where s.route_id = cli.route_id and s.trunk_id <> trunk.id and trunk_state.unusable is null and trunk_state.reachable is not false and h.held_since is null)`

/** The same for a trunk of another dialer, which may place its calls (docs/adr/53). */
const anotherDialerCarries = sql<boolean>`exists (
  select from call_route_step s join trunk t on t.id = s.trunk_id and t.dialer_id <> dialer.id and t.deleted_at is null
    join trunk_state on trunk_state.trunk_id = s.trunk_id and ${isSeenRecently('trunk_state.seen_at')}
    left join trunk_health h on h.trunk_id = s.trunk_id left join dialer_state d on d.dialer_id = t.dialer_id
   where s.route_id = cli.route_id and trunk_state.unusable is null and trunk_state.reachable is not false and h.held_since is null and d.reason is null)`

const otherTrunks = sql<{ trunkId: number; dialerId: number }[]>`coalesce((
  select json_agg(json_build_object('trunkId', t.id, 'dialerId', t.dialer_id)) from call_route_step s join trunk t on t.id = s.trunk_id
   where s.route_id = cli.route_id and t.id <> trunk.id and t.deleted_at is null), '[]')`

/** What CLI, trunk and dialer allow now, and what is wrong with them. An administrator's reduction replaces the dialer's total. */
export async function capsOf(db: Db, cliId: number): Promise<LineCaps> {
  const { heldReason, probeAt, ...caps } = await db
    .selectFrom('cli')
    .innerJoin('trunk', 'trunk.id', 'cli.trunk_id')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .leftJoin('trunk_health as health', (on) =>
      on.onRef('health.trunk_id', '=', 'trunk.id').on('health.held_since', 'is not', null),
    )
    .leftJoin('trunk_state', (on) =>
      on.onRef('trunk_state.trunk_id', '=', 'trunk.id').on(isSeenRecently('trunk_state.seen_at')),
    )
    .leftJoin('dialer_state', (on) =>
      on
        .onRef('dialer_state.dialer_id', '=', 'dialer.id')
        .on(isSeenRecently('dialer_state.seen_at'))
        .on(sql<boolean>`dialer_state.since < now() - ${awayMs} * interval '1 ms'`),
    )
    .select((eb) => [
      'dialer.driver',
      'cli.number as cli',
      'cli.is_group as isGroup',
      'trunk.name as trunk',
      'dialer.name as dialer',
      channelsShown.as('cliChannels'),
      ofRoute('channels').as('trunkChannels'),
      ofRoute('cps').as('trunkCps'),
      otherTrunks.as('otherTrunks'),
      eb.fn.coalesce('dialer.channel_reduction', 'dialer.channels').as('dialerChannels'),
      eb.fn.coalesce('dialer.cps_reduction', 'dialer.cps').as('dialerCps'),
      sql<string | null>`case when not ${anotherDialerCarries} then dialer_state.reason end`.as('dialerDown'),
      sql<string | null>`case when not ${anotherCarries} then trunk_state.unusable end`.as('unusable'),
      'health.hold_reason as heldReason',
      sql<Date | null>`case when not ${anotherCarries} then coalesce(health.next_probe_at, health.held_since) end`.as(
        'probeAt',
      ),
    ])
    .where('cli.id', '=', cliId)
    .executeTakeFirstOrThrow()
  return { ...caps, held: probeAt && { reason: heldReason ?? 'it was on hold before', probeAt } }
}
