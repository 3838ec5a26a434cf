import type { Db } from '../../db/db.ts'
import { newLine } from '../../testing/seed.ts'
import type { EngineDb, Fixtures } from './fixtures.ts'

/** `operators`: their codes. */
export type Ordered = { trunkId: number; priority: number; weight: number; operators?: number[] }
let serial = 0

/** Gives the fixtures' caller ID a route. */
export async function newRoute({ db }: { db: Db }, { line }: Fixtures, steps: readonly Ordered[]): Promise<void> {
  const { id } = await db
    .insertInto('call_route')
    .values({ name: `Route ${line.cliId} ${++serial}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = steps.map(({ trunkId, ...step }) => ({ route_id: id, trunk_id: trunkId, ...step }))
  await db.insertInto('call_route_step').values(rows).execute()
  await db.updateTable('cli').set({ route_id: id }).where('id', '=', line.cliId).execute()
}

/** Another trunk of the fixtures' dialer. */
export async function anotherTrunk(
  at: EngineDb,
  { users, line }: Fixtures,
  of: { cps?: number; channels?: number } = {},
): Promise<number> {
  return (await newLine(at, { holders: users, dialerId: line.dialerId, channels: 60, cps: 40, ...of })).trunkId
}

/** Another dialer, with a trunk; its caller ID is nobody's. */
export async function anotherDialer(
  at: EngineDb,
  of: { cps?: number; channels?: number } = {},
): Promise<{ dialerId: number; trunkId: number }> {
  return newLine(at, { channels: 60, cps: 40, portFrom: 20_000, ...of })
}
