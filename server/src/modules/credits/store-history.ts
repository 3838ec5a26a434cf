import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import { inTime } from '../../db/in-time.ts'
import { exactRows, readBatches, readPage } from '../../db/lists/list.ts'
import { readSearched } from '../../db/lists/searched-list.ts'
import { isInIndex } from '../../db/search/words.ts'
import type { Db } from '../../db/db.ts'
import type { CreditAction } from '@ghanti/contract/credit-actions.ts'
import type { Page } from '../../http/types.ts'
import {
  found,
  foundIn,
  matches,
  namesLike,
  searchedMax,
  unnamed,
  visible,
  walkMs,
  type Filter,
  type HistoryView,
  type Named,
} from './store-search.ts'

export type HistoryLine = {
  id: number
  at: Date
  action: CreditAction
  /** Signed from the side of the account that the line belongs to. */
  amountPaisa: number
  balancePaisa: number
  /** The account that the line belongs to. Null: the platform. */
  username: string | null
  /** The other side of a movement. Null: the platform, or there is none. */
  otherUsername: string | null
  byUsername: string | null
  company: string | null
  parentUser: string | null
  campaignName: string | null
  reference: string | null
  paymentMode: string | null
  note: string | null
}

const at = sql.ref<Date>('e.at')
const id = sql.ref<number>('e.id')

const lines = (db: Db) => db.selectFrom('credit_entry as e').select('e.id')
const withIds = (db: Db, ids: readonly number[]) => lines(db).where(sql<boolean>`e.id = any (${ids}::bigint[])`)

/**
 * The ids of the lines, no more than the order needs: the columns of a row are read for one page alone. Where a search finds few lines of a
 * part, it is narrowed to their ids; where it finds many, the part is walked in its order. Walking a part that has none would take seconds.
 * `sortsFound`: more ids are known than are counted.
 */
async function lineIds(db: Db, view: HistoryView, filter: Filter) {
  const search = filter.search?.trim().toLowerCase()
  const parts = visible(view, filter).map((part) => lines(db).where(part))
  if (!search) return { parts, many: null, sortsFound: false }
  if (!isInIndex(search))
    return { parts: parts.map((part) => part.where(matches(unnamed(search)))), many: null, sortsFound: false }
  const names = await namesLike(db, view, search, filter)
  const each = await foundIn(db, view, filter, names)
  const found = parts.map((part, i) => {
    const ids = each[i]?.ids
    return ids ? withIds(db, ids) : part.where(matches(names))
  })
  const many = each.filter(({ ids }) => ids === null)
  const sortsFound = each.some(({ ids }) => ids !== null && ids.length > searchedMax)
  if (many.length === 0) return { parts: found, many: null, sortsFound }
  const few = each.map(({ ids }) => ids)
  return { parts: found, many: { names, few, isOld: many.some(({ isOld }) => isOld) }, sortsFound }
}

async function described(db: Db, ids: readonly { id: number }[]): Promise<HistoryLine[]> {
  if (ids.length === 0) return []
  const lines = await describe(db)
    .where(sql<boolean>`e.id = any (${ids.map((line) => line.id)}::bigint[])`)
    .execute()
  const byId = new Map(lines.map((line) => [line.id, line]))
  return ids.flatMap((line) => byId.get(line.id) ?? [])
}

function describe(db: Db) {
  return (
    db
      .selectFrom('credit_entry as e')
      .leftJoin('users as mine', 'mine.id', 'e.account_id')
      .leftJoin('users as other', 'other.id', 'e.other_id')
      .leftJoin('users as actor', (on) => on.onRef('actor.id', '=', 'e.by_user_id').on('actor.role', '=', 'superAdmin'))
      // The account that the line is about: the child of a movement, whichever side the line belongs to.
      .leftJoin('users as child', (on) =>
        on.on(sql<boolean>`child.id = case when e.other_id is null or (e.action = 'credit_add') = (e.amount_paisa > 0)
        then e.account_id else e.other_id end`),
      )
      .leftJoin('users as parent', 'parent.id', 'child.parent_id')
      .leftJoin('campaign_detail as campaign', 'campaign.campaign_id', 'e.campaign_id')
      .leftJoin('sms_campaign_detail as messages', 'messages.campaign_id', 'e.sms_campaign_id')
      .select([
        'e.id',
        'e.at',
        sql.ref<CreditAction>('e.action').as('action'),
        'e.amount_paisa as amountPaisa',
        'e.balance_paisa as balancePaisa',
        'mine.username',
        'other.username as otherUsername',
        'actor.username as byUsername',
        'child.company',
        'parent.username as parentUser',
        sql<string | null>`coalesce(campaign.name, messages.name)`.as('campaignName'),
        'e.reference',
        'e.payment_mode as paymentMode',
        'e.note',
      ])
  )
}

export async function list(
  db: Db,
  view: HistoryView,
  query: ListQuery,
  filter: Omit<Filter, 'search'> = {},
): Promise<Page<HistoryLine>> {
  const search = query.search?.trim().toLowerCase()
  const page =
    search && !isInIndex(search)
      ? await pageOfNewest(db, view, query, filter)
      : await pageOfAll(db, view, query, filter)
  return { ...page, rows: await described(db, page.rows) }
}

/** The search of a text that no index finds, neither in names nor in references and notes. */
function pageOfNewest(db: Db, view: HistoryView, query: ListQuery, filter: Omit<Filter, 'search'>) {
  const search = query.search?.trim().toLowerCase() ?? ''
  const parts = visible(view, filter).map((part) => ({ rows: lines(db).where(part), found: matches(unnamed(search)) }))
  const sorting = { keys: { reqDate: at }, id, at, fallback: '-reqDate' }
  return readSearched(db, { search, byIndex: async () => null, parts }, query, sorting)
}

async function pageOfAll(db: Db, view: HistoryView, query: ListQuery, filter: Omit<Filter, 'search'>) {
  const { parts, many, sortsFound } = await lineIds(db, view, { ...filter, search: query.search })
  const sorting = {
    keys: { reqDate: at },
    id,
    fallback: '-reqDate',
    isMany: many !== null || sortsFound,
    onlyIds: true,
    countedMax: query.search?.trim() ? searchedMax : exactRows,
  }
  return many === null
    ? await readPage(db, parts, query, { ...sorting, sortsFound })
    : ((many.isOld ? null : await inTime(db, walkMs, (tx) => readPage(tx, parts, query, sorting))) ??
        (await readPage(db, await sortable(db, view, filter, many), query, { ...sorting, sortsFound: true })))
}

type Many = { names: Named; few: readonly (readonly number[] | null)[] }

/** All lines that a search finds, however many. This serves matches that a walk in the list's order would reach last. */
export async function sortable(db: Db, view: HistoryView, filter: Omit<Filter, 'search'>, { names, few }: Many) {
  const every = await found(db, view, filter, names)
  return every.map((all, i) => {
    const ids = few[i]
    return ids ? withIds(db, ids) : db.selectFrom(all.as('e')).select('e.id')
  })
}

export async function* all(db: Db, view: HistoryView, filter: Filter): AsyncGenerator<HistoryLine[]> {
  const { parts } = await lineIds(db, view, filter)
  for await (const ids of readBatches(db, parts, { key: at, id })) yield await described(db, ids)
}

export async function isChild(db: Db, parentId: number, userId: number): Promise<boolean> {
  const child = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('parent_id', '=', parentId)
    .executeTakeFirst()
  return child !== undefined
}
