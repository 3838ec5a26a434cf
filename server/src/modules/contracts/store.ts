import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'

export type Contract = { name: string; channels: number; cps: number }

type Trunk = { trunkId: number; trunkName: string; dialerName: string }
type Dialer = {
  dialerName: string
  channelsUsed: number
  channelsGranted: number
  callsPerSecond: number
  cpsGranted: number
}

const keys = {
  contractId: sql.ref('operator_contract.id'),
  contractName: sql`lower(operator_contract.name)`,
  channels: sql.ref('operator_contract.channels'),
  cps: sql.ref('operator_contract.cps'),
}

const useOf = (column: 'legs' | 'begun') =>
  sql<number>`(select coalesce(sum(u.${sql.ref(column)}), 0)::int from contract_use(operator_contract.id) u)`

export function list(db: Db, query: ListQuery) {
  let rows = db
    .selectFrom('operator_contract')
    .select(['id as contractId', 'name as contractName', 'channels', 'cps'])
    .select([
      useOf('legs').as('channelsUsed'),
      useOf('begun').as('callsPerSecond'),
      sql<Trunk[]>`(
        select coalesce(json_agg(json_build_object('trunkId', t.id, 'trunkName', t.name, 'dialerName', d.name) order by lower(t.name)), '[]')
          from trunk t join dialer d on d.id = t.dialer_id where t.contract_id = operator_contract.id and t.deleted_at is null)`.as(
        'trunks',
      ),
      sql<Dialer[]>`(
        select coalesce(json_agg(json_build_object('dialerName', d.name, 'channelsUsed', u.legs, 'channelsGranted', u.channels, 'callsPerSecond', u.begun, 'cpsGranted', u.cps) order by lower(d.name)), '[]')
          from contract_use(operator_contract.id) u join dialer d on d.id = u.dialer_id where u.legs + u.channels + u.begun + u.cps > 0)`.as(
        'dialers',
      ),
    ])
    .where('deleted_at', 'is', null)
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(
      sql<boolean>`(lower(operator_contract.name) like ${pattern} or exists (select from trunk t where t.contract_id = operator_contract.id and t.deleted_at is null and lower(t.name) like ${pattern}))`,
    )
  }
  return readPage(db, rows, query, { keys, id: sql.ref('operator_contract.id'), fallback: '-contractId' })
}

export async function insert(tx: Tx, contract: Contract): Promise<number> {
  const { id } = await tx.insertInto('operator_contract').values(contract).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function update(tx: Tx, id: number, contract: Contract): Promise<void> {
  await tx.updateTable('operator_contract').set(contract).where('id', '=', id).execute()
}

export async function remove(tx: Tx, id: number, at: Date): Promise<void> {
  await tx.updateTable('operator_contract').set({ deleted_at: at }).where('id', '=', id).execute()
  await tx.deleteFrom('contract_grant').where('contract_id', '=', id).execute()
}

/** Locks a contract that is about to change or to get another trunk. */
export function lock(tx: Tx, id: number): Promise<{ name: string } | undefined> {
  return tx
    .selectFrom('operator_contract')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const trunksShown = 4

/** Names of the first few trunks that belong to it. */
export async function trunksOf(tx: Tx, id: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('trunk')
    .select('name')
    .where('contract_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .limit(trunksShown)
    .execute()
  return rows.map(({ name }) => name)
}
