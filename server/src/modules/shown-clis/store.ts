import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { Shown, ShowingTrunk } from './rules.ts'

export async function partedGroup(
  tx: Tx,
  cliIds: readonly number[],
): Promise<{ grp: string; cli: string } | undefined> {
  const { rows } = await sql<{ grp: string; cli: string }>`
    select g.number as grp, n.number as cli from cli_member m join cli g on g.id = m.group_id join cli n on n.id = m.cli_id
      join trunk tg on tg.id = g.trunk_id join trunk tn on tn.id = n.trunk_id
     where (m.group_id = any (${cliIds}::int[]) or m.cli_id = any (${cliIds}::int[])) and tg.dialer_id <> tn.dialer_id
     order by n.number limit 1`.execute(tx)
  return rows[0]
}

/** Whether an engine is alive that does not count the channels of a group's caller IDs over all dialers. */
export async function hasOlderEngine(tx: Tx): Promise<boolean> {
  const { rows } = await sql`
    select from engine where not shares_groups and seen_at > clock_timestamp() - interval '10 seconds' limit 1`.execute(
    tx,
  )
  return rows.length > 0
}

export async function showingTrunkOf(db: Db, trunkIds: readonly number[]): Promise<Map<number, ShowingTrunk>> {
  const { rows } = await sql<ShowingTrunk & { id: number }>`
    select id, name, coalesce(sip_options -> 'shownClis', '[]') as "shownClis" from trunk where id = any (${trunkIds}::int[]) order by name`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function showingTrunks(db: Db, trunkIds: readonly number[]): Promise<ShowingTrunk[]> {
  return [...(await showingTrunkOf(db, trunkIds)).values()]
}

export async function trunkIdsOf(db: Db, cliId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from cli i left join call_route_step s on s.route_id = i.route_id join trunk t on t.id = coalesce(s.trunk_id, i.trunk_id)
     where i.id = ${cliId} and t.deleted_at is null order by t.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** What the calls of some caller IDs and groups show. They are selected by id, by route, or by one of their trunks. Members are active ones. */
export async function shownOf(
  db: Db,
  of: { cliIds: readonly number[] } | { routeId: number } | { trunkId: number },
): Promise<Shown[]> {
  const which =
    'cliIds' in of
      ? sql`i.id = any (${of.cliIds}::int[])`
      : 'routeId' in of
        ? sql`i.route_id = ${of.routeId}`
        : sql`(i.trunk_id = ${of.trunkId} or i.route_id in (select route_id from call_route_step where trunk_id = ${of.trunkId}))`
  const { rows } = await sql<Shown>`
    select i.number, case when i.is_group then array(
        select n.number from cli_member m join cli n on n.id = m.cli_id join trunk t on t.id = n.trunk_id
         where m.group_id = i.id and n.deleted_at is null and t.deleted_at is null) end as members
      from cli i where i.deleted_at is null and ${which} order by i.number`.execute(db)
  return rows
}
