import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Person } from '@ghanti/contract/persons.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing, readBatches, readPage, searchedOfUser } from '../../db/lists/list.ts'
import { readSearched } from '../../db/lists/searched-list.ts'
import { isInIndex, oneOfNewest } from '../../db/search/words.ts'
import { ownedPaisa } from '../../db/owned.ts'
import type { AccountType } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { withinTree, type Scope } from '../../policy.ts'
import { personColumns } from './store-account.ts'
import { cliCountOf, clisOf, mailConfirmed, mailWaits, someClisOf } from './store.ts'

/** Which accounts: all in the scope, or the direct children of some; then the filters. */
export type UsersView = {
  scope: Scope
  viewerId: number
  childrenOf: readonly number[]
  role?: Role | undefined
  states?: readonly (keyof typeof isIn)[] | undefined
  now: Date
}

/** Disabled itself or through an account above; it may be expired as well. */
const isStopped = sql<boolean>`users.path && array(select stopper.id from users stopper where stopper.disabled_at is not null)`
const isExpired = (now: Date) => sql<boolean>`coalesce(users.expires_at, 'infinity') <= ${now}`
const isIn = {
  active: (now: Date) => sql<boolean>`not ${isExpired(now)} and not (${isStopped})`,
  expired: isExpired,
  disabled: () => isStopped,
}

export type ListedUser = Person & {
  id: number
  username: string
  mailConfirmed: boolean
  mailWaits: boolean
  role: Role
  accountType: AccountType
  paisa: number
  reservedPaisa: number
  planId: number | null
  planName: string | null
  parentId: number
  parentUser: string
  parentRole: Role
  expiresAt: Date | null
  channels: number | null
  clis: string
  cliCount: number
  disabledAt: Date | null
  disabledReason: string | null
  disabledByPlatform: boolean
  stoppedBy: string | null
  frozenAt: Date | null
  frozenReason: string | null
  frozenByPlatform: boolean
  frozenByOwner: boolean
  frozenBy: string | null
}

const keys: Record<string, RawBuilder<unknown>> = {
  userId: sql.ref('users.id'),
  username: sql`lower(users.username)`,
  name: sql`lower(users.name)`,
  company: sql`lower(users.company)`,
  userType: sql.ref('users.role'),
  expiryDate: sql`coalesce(users.expires_at, 'infinity')`,
  /** As on screen: minus what calls have reserved. */
  credits: sql`(account.balance_paisa - account.reserved_paisa + coalesce(earned.paisa, 0))`,
}

/** Telephone numbers in their stored form, however they were typed. */
export function wordsOf(search: string): string {
  return searchedDigits(search)?.ends ?? search.trim().toLowerCase()
}

const searched = (search: string) => sql<boolean>`${searchedOfUser} like ${containing(wordsOf(search))}`

/** An array, so that the search index is used before anything is sorted. */
const found = (search: string) =>
  sql<boolean>`users.id = any (array(select users.id from users where ${searched(search)}))`

function idsOf(db: Db, view: UsersView, byCredits: boolean) {
  const { scope, viewerId, childrenOf, role, states, now } = view
  let rows = db
    .selectFrom('users')
    .$if(byCredits, (query) =>
      query.innerJoin('account', 'account.id', 'users.id').leftJoin(
        (income) =>
          income
            .selectFrom('account_income')
            .select(['account_id', (e) => e.fn.sum<number>('paisa').as('paisa')])
            .groupBy('account_id')
            .as('earned'),
        (on) => on.onRef('earned.account_id', '=', 'users.id'),
      ),
    )
    .select('users.id')
    .where('users.deleted_at', 'is', null)
    .where('users.role', '<>', 'superAdmin')
    .where('users.id', '<>', viewerId)
    .where(withinTree(scope, 'users'))
  for (const parentId of childrenOf) rows = rows.where('users.parent_id', '=', parentId)
  if (role) rows = rows.where('users.role', '=', role)
  if (states) rows = rows.where((where) => where.or(states.map((state) => isIn[state](now))))
  return rows
}

async function described(db: Db, ids: readonly { id: number }[], clis = someClisOf): Promise<ListedUser[]> {
  if (ids.length === 0) return []
  const rows = await describe(db, clis)
    .where(
      'users.id',
      'in',
      ids.map(({ id }) => id),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

function describe(db: Db, clis = someClisOf) {
  return db
    .selectFrom('users')
    .innerJoin('account', 'account.id', 'users.id')
    .innerJoin('users as parent', 'parent.id', 'users.parent_id')
    .leftJoin('plan', 'plan.id', 'users.plan_id')
    .leftJoin('account_channels as c', 'c.account_id', 'users.id')
    .select([
      'users.id',
      'users.username',
      ...personColumns,
      mailConfirmed.as('mailConfirmed'),
      mailWaits.as('mailWaits'),
      'users.role',
      'users.account_type as accountType',
      ownedPaisa('account').as('paisa'),
      'account.reserved_paisa as reservedPaisa',
      'users.plan_id as planId',
      'plan.name as planName',
      'parent.id as parentId',
      'parent.username as parentUser',
      'parent.role as parentRole',
      'users.expires_at as expiresAt',
      'c.channels',
      clis.as('clis'),
      cliCountOf.as('cliCount'),
      'users.disabled_at as disabledAt',
      'users.disabled_reason as disabledReason',
      sql<boolean>`not exists (select from users by where by.id = users.disabled_by and by.role <> 'superAdmin')`.as(
        'disabledByPlatform',
      ),
      sql<string | null>`(select stopper from account_stopped_by(parent.path))`.as('stoppedBy'),
      'users.frozen_at as frozenAt',
      'users.frozen_reason as frozenReason',
      sql<boolean>`not exists (select from users by where by.id = users.frozen_by and by.role <> 'superAdmin')`.as(
        'frozenByPlatform',
      ),
      sql<boolean>`users.frozen_by is not distinct from users.id`.as('frozenByOwner'),
      sql<string | null>`(select freezer from account_frozen_by(parent.path))`.as('frozenBy'),
    ])
}

export async function listUsers(db: Db, view: UsersView, query: ListQuery): Promise<Page<ListedUser>> {
  const { search } = query
  const ids = idsOf(db, view, query.sort === 'credits')
  const isFiltered = Boolean(query.search ?? view.role ?? view.states) || view.childrenOf.length > 0
  const sorting = { keys, id: sql.ref<number>('users.id'), fallback: '-userId', isFiltered, onlyIds: true }
  const byIndex = (tx: Db) =>
    readPage(tx, idsOf(tx, view, query.sort === 'credits').where(found(search ?? '')), query, sorting)
  const page = search
    ? await readSearched(
        db,
        { search: wordsOf(search), byIndex, parts: [{ rows: ids, found: searched(search) }] },
        query,
        {
          ...sorting,
          at: sql.ref<Date>('users.created_at'),
        },
      )
    : await readPage(db, ids, query, sorting)
  return { ...page, rows: await described(db, page.rows) }
}

/** Undefined when the scope's list does not have it. */
export function findListed(db: Db, scope: Scope, viewerId: number, userId: number): Promise<ListedUser | undefined> {
  return describe(db)
    .where('users.id', '=', userId)
    .where('users.deleted_at', 'is', null)
    .where('users.role', '<>', 'superAdmin')
    .where('users.id', '<>', viewerId)
    .where(withinTree(scope, 'users'))
    .executeTakeFirst()
}

const choicesShown = 20
type Asked = { search?: string | undefined; userId?: number | undefined }

export function choices(db: Db, scope: Scope, { search, userId }: Asked) {
  let rows = db
    .selectFrom('users')
    .select(['users.id as userId', 'users.username', 'users.company'])
    .where('users.role', '<>', 'superAdmin')
    .where(withinTree(scope, 'users'))
  if (userId !== undefined) return rows.where('users.id', '=', userId).execute()
  if (search) rows = rows.where(isInIndex(wordsOf(search)) ? found(search) : oneOfNewest(scope, searched(search)))
  return rows
    .where('users.deleted_at', 'is', null)
    .orderBy(sql`lower(users.username)`)
    .limit(choicesShown)
    .execute()
}

export async function* everyUser(db: Db, view: UsersView, search: string | undefined): AsyncGenerator<ListedUser[]> {
  const by = { key: sql.ref('users.id'), id: sql.ref<number>('users.id') }
  const all = idsOf(db, view, false)
  const rows = search ? all.where(isInIndex(wordsOf(search)) ? found(search) : searched(search)) : all
  for await (const ids of readBatches(db, rows, by)) yield await described(db, ids, clisOf)
}
