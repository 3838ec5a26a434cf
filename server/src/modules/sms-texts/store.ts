import type { ListQuery } from '@ghanti/contract/route.ts'
import type { AccountType } from '@ghanti/contract/roles.ts'
import type { Approval } from '@ghanti/contract/sms-approval.ts'
import { sql, type Selectable } from 'kysely'
import { countUpTo } from '../../db/lists/count.ts'
import type { Db, Tx } from '../../db/db.ts'
import { readOwned } from '../../db/lists/owned-list.ts'
import type { SmsText } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

export type SavedText = Selectable<SmsText> & { username: string; account_type: AccountType }

const keys = {
  textId: sql.ref('sms_text.id'),
  textName: sql`lower(sms_text.name)`,
  textStatus: sql.ref('sms_text.status'),
  username: sql`lower(users.username)`,
}

export type TextFilter = {
  statuses?: readonly Approval[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function texts(db: Db, scope: Scope) {
  return db
    .selectFrom('sms_text')
    .innerJoin('users', 'users.id', 'sms_text.account_id')
    .selectAll('sms_text')
    .select(['users.username', 'users.account_type'])
    .where('sms_text.deleted_at', 'is', null)
    .where(within(scope, 'sms_text.account_id'))
}

function idsOf(db: Db, scope: Scope, { statuses, from, to }: TextFilter, search: string | undefined) {
  let rows = db
    .selectFrom('sms_text')
    .select('sms_text.id')
    .where('sms_text.deleted_at', 'is', null)
    .where(within(scope, 'sms_text.account_id'))
  if (statuses) rows = rows.where('sms_text.status', 'in', statuses)
  if (from) rows = rows.where('sms_text.changed_at', '>=', from)
  if (to) rows = rows.where('sms_text.changed_at', '<', to)
  const named = search ? { search, columns: ['sms_text.name', 'sms_text.text'], owner: 'sms_text.account_id' } : null
  return { rows, withOwners: rows.innerJoin('users', 'users.id', 'sms_text.account_id'), named }
}

export async function list(db: Db, scope: Scope, filter: TextFilter, query: ListQuery): Promise<Page<SavedText>> {
  const isFiltered = Boolean(query.search ?? filter.statuses ?? filter.from ?? filter.to)
  const sorting = {
    keys,
    id: sql.ref<number>('sms_text.id'),
    fallback: '-textId',
    isFiltered,
    at: sql.ref<Date>('sms_text.created_at'),
  }
  const page = await readOwned(db, idsOf(db, scope, filter, query.search), query, sorting)
  const ids = page.rows.map(({ id }) => id)
  const shown = await texts(db, scope)
    .where('sms_text.id', '=', sql<number>`any (${ids}::int[])`)
    .execute()
  const byId = new Map(shown.map((text) => [text.id, text]))
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

export function lock(tx: Tx, scope: Scope, textId: number): Promise<SavedText | undefined> {
  return texts(tx, scope).where('sms_text.id', '=', textId).forUpdate('sms_text').executeTakeFirst()
}

export async function lockAccount(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('saved texts'), ${accountId})`.execute(tx)
}

export async function idOfName(tx: Tx, accountId: number, name: string): Promise<number | undefined> {
  const found = await tx
    .selectFrom('sms_text')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.id
}

export async function count(tx: Tx, accountId: number): Promise<number> {
  const { texts: found } = await tx
    .selectFrom('sms_text')
    .select(({ fn }) => fn.countAll<number>().as('texts'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(found)
}

export async function accountTypeOf(tx: Tx, accountId: number): Promise<AccountType> {
  const { account_type } = await tx
    .selectFrom('users')
    .select('account_type')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return account_type
}

export async function insert(
  tx: Tx,
  text: { accountId: number; name: string; text: string; status: Approval },
): Promise<number> {
  const { accountId, ...values } = text
  const { id } = await tx
    .insertInto('sms_text')
    .values({ account_id: accountId, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function rewrite(tx: Tx, textId: number, values: { text: string; status: Approval; at: Date }) {
  const { at, ...written } = values
  const undecided = { reason: null, decided_by: null, decided_at: null, is_urgent: false }
  await tx
    .updateTable('sms_text')
    .set({ ...written, ...undecided, changed_at: at })
    .where('id', '=', textId)
    .execute()
}

export async function rename(tx: Tx, textId: number, name: string, at: Date): Promise<void> {
  await tx.updateTable('sms_text').set({ name, changed_at: at }).where('id', '=', textId).execute()
}

export type Decision = {
  textId: number
  status: Exclude<Approval, 'pending'>
  isUrgent: boolean
  reason: string | null
  byUserId: number
  at: Date
}

export async function decide(tx: Tx, { textId, byUserId, at, status, isUrgent, reason }: Decision): Promise<void> {
  await tx
    .updateTable('sms_text')
    .set({ status, is_urgent: isUrgent, reason, decided_by: byUserId, decided_at: at })
    .where('id', '=', textId)
    .execute()
}

export async function markDeleted(tx: Tx, textId: number, at: Date): Promise<void> {
  await tx.updateTable('sms_text').set({ deleted_at: at }).where('id', '=', textId).execute()
}

/**
 * The newest decision on this exact text, a person's before an automatic one, even if its name was deleted: once approved, a text stays
 * approved. Undefined when it was never submitted.
 */
export function standingOf(db: Db, accountId: number, text: string) {
  return db
    .selectFrom('sms_text')
    .select(['name', 'status', 'decided_by', 'is_urgent'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`md5(text) = md5(${text}) and text = ${text}`)
    .where((where) => where.or([where('deleted_at', 'is', null), where('decided_by', 'is not', null)]))
    .orderBy(sql`decided_at desc nulls last`)
    .limit(1)
    .executeTakeFirst()
}

export function countPending(db: Db): Promise<number> {
  const pending = db.selectFrom('sms_text').select('id').where('status', '=', 'pending').where('deleted_at', 'is', null)
  return countUpTo(db, pending, 100)
}
