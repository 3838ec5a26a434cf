import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { Shown, ShowingTrunk } from './rules.ts'

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
