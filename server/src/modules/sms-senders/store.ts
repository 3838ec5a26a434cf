import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Approval } from '@ghanti/contract/sms-approval.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Selectable } from 'kysely'
import { countUpTo } from '../../db/lists/count.ts'
import type { Db, Tx } from '../../db/db.ts'
import { readOwned } from '../../db/lists/owned-list.ts'
import type { SmsSender } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

export type Sender = Selectable<SmsSender> & { username: string }

const keys = {
  cliId: sql.ref('sms_sender.id'),
  cliName: sql`lower(sms_sender.name)`,
  cliStatus: sql.ref('sms_sender.status'),
  username: sql`lower(users.username)`,
}

export type SenderFilter = {
  statuses?: readonly Approval[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function senders(db: Db, scope: Scope) {
  return db
    .selectFrom('sms_sender')
    .innerJoin('users', 'users.id', 'sms_sender.account_id')
    .selectAll('sms_sender')
    .select('users.username')
    .where('sms_sender.deleted_at', 'is', null)
    .where(within(scope, 'sms_sender.account_id'))
}

type Listed = Sender & { company: string; others: number }

function idsOf(db: Db, scope: Scope, { statuses, from, to }: SenderFilter, search: string | undefined) {
  let rows = db
    .selectFrom('sms_sender')
    .select('sms_sender.id')
    .where('sms_sender.deleted_at', 'is', null)
    .where(within(scope, 'sms_sender.account_id'))
  if (statuses) rows = rows.where('sms_sender.status', 'in', statuses)
  if (from) rows = rows.where('sms_sender.created_at', '>=', from)
  if (to) rows = rows.where('sms_sender.created_at', '<', to)
  const named = search ? { search, columns: ['sms_sender.name'], owner: 'sms_sender.account_id' } : null
  return { rows, withOwners: rows.innerJoin('users', 'users.id', 'sms_sender.account_id'), named }
}

export async function list(db: Db, scope: Scope, filter: SenderFilter, query: ListQuery): Promise<Page<Listed>> {
  const isFiltered = Boolean(query.search ?? filter.statuses ?? filter.from ?? filter.to)
  const sorting = {
    keys,
    id: sql.ref<number>('sms_sender.id'),
    fallback: '-cliId',
    isFiltered,
    at: sql.ref<Date>('sms_sender.created_at'),
  }
  const page = await readOwned(db, idsOf(db, scope, filter, query.search), query, sorting)
  const ids = page.rows.map(({ id }) => id)
  const shown = await senders(db, scope)
    .select('users.company')
    .select(
      sql<number>`(select count(distinct s.account_id)::int from sms_sender s
        where lower(s.name) = lower(sms_sender.name) and s.deleted_at is null and s.account_id <> sms_sender.account_id)`.as(
        'others',
      ),
    )
    .where('sms_sender.id', '=', sql<number>`any (${ids}::int[])`)
    .execute()
  const byId = new Map(shown.map((sender) => [sender.id, sender]))
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

export function lock(tx: Tx, scope: Scope, senderId: number): Promise<Sender | undefined> {
  return senders(tx, scope).where('sms_sender.id', '=', senderId).forUpdate('sms_sender').executeTakeFirst()
}

/** Ignores case; locked until the transaction ends. */
export function holdByName(tx: Tx, accountId: number, name: string) {
  return tx
    .selectFrom('sms_sender')
    .select(['id', 'name', 'status', 'operators'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('sender IDs'), ${accountId})`.execute(tx)
}

export async function count(tx: Tx, accountId: number): Promise<number> {
  const { senders: found } = await tx
    .selectFrom('sms_sender')
    .select(({ fn }) => fn.countAll<number>().as('senders'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(found)
}

export async function insert(tx: Tx, accountId: number, name: string): Promise<number> {
  const { id } = await tx
    .insertInto('sms_sender')
    .values({ account_id: accountId, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type Decision = {
  senderId: number
  status: Exclude<Approval, 'pending'>
  operators: number[]
  tps: number | null
  reason: string | null
  byUserId: number
  at: Date
}

export async function decide(tx: Tx, { senderId, byUserId, at, ...decision }: Decision): Promise<void> {
  await tx
    .updateTable('sms_sender')
    .set({ ...decision, decided_by: byUserId, decided_at: at })
    .where('id', '=', senderId)
    .execute()
}

type Use = { name: string; status: CampaignStatus }
export async function unfinishedUses(tx: Tx, { id, account_id }: Sender): Promise<Use[]> {
  const { rows } = await sql<Use>`
    select d.name, c.status from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id
    where c.account_id = ${account_id} and d.sender_id = ${id} and c.status <> all (${[...finishedStatuses]}::campaign_status[])
    order by c.id limit 3`.execute(tx)
  return rows
}

export async function markDeleted(tx: Tx, senderId: number, at: Date): Promise<void> {
  await tx.updateTable('sms_sender').set({ deleted_at: at }).where('id', '=', senderId).execute()
}

export function countPending(db: Db): Promise<number> {
  const pending = db
    .selectFrom('sms_sender')
    .select('id')
    .where('status', '=', 'pending')
    .where('deleted_at', 'is', null)
  return countUpTo(db, pending, 100)
}
