import type { Db } from '../../db/db.ts'
import { newLine } from '../../testing/seed.ts'
import { takeover } from '../../dispatch/lease/lease.sql.ts'
import type { Lease } from '../../dispatch/statement.ts'
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

/** A contract of these trunks alone. */
export async function newContract(
  { db }: { db: Db },
  of: { trunkIds: readonly number[]; channels: number; cps: number },
): Promise<number> {
  const { trunkIds, channels, cps } = of
  const { id } = await db
    .insertInto('operator_contract')
    .values({ name: `Contract ${++serial} of ${trunkIds.join()}`, channels, cps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('trunk').set({ contract_id: id }).where('id', 'in', trunkIds).execute()
  await db
    .updateTable('operator_contract')
    .set({ changed_at: new Date(Date.now() - 60_000) })
    .where('id', '=', id)
    .execute()
  return id
}

/** Another trunk of the fixtures' dialer. */
export async function anotherTrunk(
  at: EngineDb,
  { users, line }: Fixtures,
  of: { cps?: number; channels?: number } = {},
): Promise<number> {
  return (await newLine(at, { holders: users, dialerId: line.dialerId, channels: 60, cps: 40, ...of })).trunkId
}

/** The name of the first host of every simulated trunk of the fixtures. */
export const firstHost = ':5060'

export async function secondHost({ db }: { db: Db }, trunkId: number): Promise<void> {
  const hosts = JSON.stringify({ hosts: ['192.0.2.2'] })
  await db.updateTable('trunk').set({ sip_options: hosts }).where('id', '=', trunkId).execute()
}

/** Another dialer, with a trunk; its caller ID is nobody's. */
export async function anotherDialer(
  at: EngineDb,
  of: { cps?: number; channels?: number } = {},
): Promise<{ dialerId: number; trunkId: number }> {
  return newLine(at, { channels: 60, cps: 40, portFrom: 20_000, ...of })
}

/** A dialer that the test holds, and a trunk of it. */
export type Place = { lease: Lease; trunkId: number }

/** Another dialer, which the test takes for ten minutes. */
export async function anotherPlace(at: EngineDb): Promise<Place> {
  const { dialerId, trunkId } = await anotherDialer(at)
  const lease = await takeover(at.engine, dialerId, 'test', 600_000)
  if (!lease) throw new Error(`dialer ${dialerId} is taken`)
  return { lease, trunkId }
}
