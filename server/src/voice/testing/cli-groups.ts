import type { Db } from '../../db/db.ts'
import { newLine } from '../../testing/seed.ts'
import type { EngineDb, Fixtures } from './fixtures.ts'

let serial = 0

export type Group = { cliId: number; members: { cliId: number; cli: string }[] }

/** A group of new caller IDs of the fixtures' trunk, the last of them of another one where that is named. The users hold the group alone. */
export async function newGroup(
  at: EngineDb,
  { users, line }: Fixtures,
  of: { size: number; channels?: number; last?: { dialerId: number; trunkId: number } },
): Promise<Group> {
  const { dialerId, trunkId } = line
  const channels = of.channels ?? 10_000
  const members: Group['members'] = []
  while (members.length < of.size - Number(of.last !== undefined))
    members.push(await newLine(at, { dialerId, trunkId, channels }))
  if (of.last) members.push(await newLine(at, { ...of.last, channels }))
  const cliId = await groupOf(
    at,
    trunkId,
    members.map((one) => one.cliId),
  )
  const holdings = users.map(({ userId, parentId }) => ({
    cli_id: cliId,
    account_id: userId,
    given_by: parentId ?? userId,
  }))
  await at.db.insertInto('cli_holder').values(holdings).execute()
  return { cliId, members: members.map(({ cliId: id, cli }) => ({ cliId: id, cli })) }
}

async function groupOf({ db }: { db: Db }, trunkId: number, cliIds: readonly number[]): Promise<number> {
  const { id } = await db
    .insertInto('cli')
    .values({ number: `Group ${++serial} of ${trunkId}`, trunk_id: trunkId, is_group: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('cli_member')
    .values(cliIds.map((cli_id) => ({ group_id: id, cli_id })))
    .execute()
  return id
}
