import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { Cli as CliTable } from '../../db/tables.ts'

export type Member = { cliId: number; weight: number }

export async function insertGroup(tx: Tx, group: Insertable<CliTable>): Promise<number> {
  const { id } = await tx
    .insertInto('cli')
    .values({ ...group, is_group: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function putMembers(tx: Tx, groupId: number, members: readonly Member[]): Promise<void> {
  await tx.deleteFrom('cli_member').where('group_id', '=', groupId).execute()
  if (members.length === 0) return
  const rows = members.map(({ cliId, weight }) => ({ group_id: groupId, cli_id: cliId, weight }))
  await tx.insertInto('cli_member').values(rows).execute()
}

export function findGroup(db: Db, groupId: number) {
  return db
    .selectFrom('cli')
    .leftJoin('trunk', (on) => on.onRef('trunk.id', '=', 'cli.trunk_id').on('trunk.deleted_at', 'is', null))
    .select(['cli.id as cliId', 'cli.number as groupName', 'trunk.name as trunkName'])
    .where('cli.id', '=', groupId)
    .where('cli.is_group', '=', true)
    .where('cli.deleted_at', 'is', null)
    .executeTakeFirst()
}

export function membersOf(db: Db, groupId: number) {
  return db
    .selectFrom('cli_member')
    .innerJoin('cli', 'cli.id', 'cli_member.cli_id')
    .leftJoin('trunk', (on) => on.onRef('trunk.id', '=', 'cli.trunk_id').on('trunk.deleted_at', 'is', null))
    .select(['cli.id as cliId', 'cli.number as cli', 'cli.channels', 'cli_member.weight'])
    .select(sql<number>`(trunk.id is not null)::int`.as('cliStatus'))
    .where('cli_member.group_id', '=', groupId)
    .orderBy('cli.number')
    .execute()
}

export async function groupsOf(tx: Tx, cliId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('cli_member')
    .innerJoin('cli', 'cli.id', 'cli_member.group_id')
    .select('cli.number')
    .where('cli_member.cli_id', '=', cliId)
    .orderBy('cli.number')
    .execute()
  return rows.map(({ number }) => number)
}
