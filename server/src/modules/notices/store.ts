import type { NoticeChoice, NoticeKind } from '@ghanti/contract/notices.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import { containing, readPage } from '../../db/lists/list.ts'
import type { Db, Tx } from '../../db/db.ts'

export type NewNotice = {
  userId: number
  kind: NoticeKind
  subjectId: number
  about: string
  reason: string | null
}

/** Given on screen, by mail or not at all, as the receiver chose; server/schema/17_notices.sql has the rule. */
export async function give(tx: Tx, { userId, kind, subjectId, about, reason }: NewNotice): Promise<void> {
  await sql`select give_notice(${userId}, ${kind}, ${subjectId}, ${about}, ${reason}, null)`.execute(tx)
}

const columns = ['id', 'kind', 'subject_id', 'about', 'reason', 'paisa', 'at', 'times', 'read_at'] as const

type Filter = {
  kinds?: readonly NoticeKind[] | undefined
  state?: 'unread' | 'read' | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** A filter or a search looks at so many of the days that were chosen, the newest: no index serves it, and an account may have any number. */
const filteredMax = 10_000

/** Undefined when all are looked at. */
function oldestFiltered(db: Db, userId: number, to: Date | undefined): Promise<{ at: Date } | undefined> {
  return db
    .selectFrom('notice')
    .select('at')
    .where('user_id', '=', userId)
    .where('shown', '=', true)
    .where('at', '<', to ?? sql<Date>`'infinity'`)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(filteredMax - 1)
    .limit(1)
    .executeTakeFirst()
}

export async function page(db: Db, userId: number, { kinds, state, from, to }: Filter, query: ListQuery) {
  let rows = db.selectFrom('notice').select('id').where('user_id', '=', userId).where('shown', '=', true)
  if (kinds) rows = rows.where('kind', 'in', kinds)
  if (state) rows = rows.where('read_at', state === 'unread' ? 'is' : 'is not', null)
  if (from) rows = rows.where('at', '>=', from)
  if (to) rows = rows.where('at', '<', to)
  if (query.search) {
    const like = containing(query.search.trim().toLowerCase())
    rows = rows.where(sql<boolean>`(lower(about) like ${like} or lower(reason) like ${like})`)
  }
  const oldest = query.search || kinds || state ? await oldestFiltered(db, userId, to) : undefined
  if (oldest) rows = rows.where('at', '>=', oldest.at)
  const isFiltered = Boolean(query.search ?? kinds ?? state ?? from ?? to)
  const sorting = { keys: { at: sql.ref('at') }, id: sql<number>`id`, fallback: '-at', isFiltered, onlyIds: true }
  const found = await readPage(db, rows, query, sorting)
  const ids = found.rows.map(({ id }) => id)
  const shown = await db
    .selectFrom('notice')
    .select(columns)
    .where('id', '=', sql<number>`any (${ids}::bigint[])`)
    .execute()
  const byId = new Map(shown.map((notice) => [notice.id, notice]))
  return { ...found, exact: found.exact && !oldest, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

/** False when the account has no notice with that id. */
export async function markRead(db: Db, userId: number, noticeId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notice')
    .set((set) => ({ read_at: set.fn.coalesce('read_at', set.val(at)) }))
    .where('id', '=', noticeId)
    .where('user_id', '=', userId)
    .where('shown', '=', true)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function markAllRead(db: Db, userId: number, at: Date): Promise<void> {
  await db
    .updateTable('notice')
    .set({ read_at: at })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('shown', '=', true)
    .execute()
}

export type UnreadNotices = { userId: number; unread: number; newest: Date | null }

/**
 * Two index look-ups per account; unread notices are counted up to 100. Their order is that of the index: without it the whole table is read where few
 * accounts have most of the notices.
 */
export async function unreadNoticesOf(db: Db, userIds: readonly number[]): Promise<UnreadNotices[]> {
  const { rows } = await sql<UnreadNotices>`
    select t.id as "userId",
           (select count(*)::int from (select from notice n where n.user_id = t.id and n.read_at is null and n.shown order by n.at limit 100) unread) as unread,
           (select n.at from notice n where n.user_id = t.id order by n.at desc, n.id desc limit 1) as newest
      from unnest(${userIds}::int[]) as t (id)`.execute(db)
  return rows
}

export function choicesOf(db: Db, userId: number): Promise<NoticeChoice[]> {
  return db
    .selectFrom('notice_choice')
    .select(['kind', 'on_screen as onScreen', 'by_mail as byMail'])
    .where('user_id', '=', userId)
    .execute()
}

export async function setChoices(tx: Tx, userId: number, choices: readonly NoticeChoice[]): Promise<void> {
  if (choices.length === 0) return
  const rows = choices.map(({ kind, onScreen, byMail }) => {
    return { user_id: userId, kind, on_screen: onScreen, by_mail: byMail }
  })
  await tx
    .insertInto('notice_choice')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet((set) => ({
        on_screen: set.ref('excluded.on_screen'),
        by_mail: set.ref('excluded.by_mail'),
      })),
    )
    .execute()
}

/** In paisa. Below it the account's owner and its parent are notified. */
export async function lowBalanceLimit(db: Db, accountId: number): Promise<number> {
  const { low_balance_paisa } = await db
    .selectFrom('account')
    .select('low_balance_paisa')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return low_balance_paisa
}

export async function setLowBalanceLimit(tx: Tx, accountId: number, paisa: number): Promise<void> {
  await tx.updateTable('account').set({ low_balance_paisa: paisa }).where('id', '=', accountId).execute()
}

export async function deleteOlder(db: Db, than: Date, limit: number): Promise<number> {
  const gone = await sql`
    delete from notice where id = any (array(select id from notice where at < ${than} limit ${limit}))`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}
