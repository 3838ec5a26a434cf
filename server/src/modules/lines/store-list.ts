import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing, readBatches, readPage } from '../../db/lists/list.ts'
import type { Page } from '../../http/types.ts'
import { scopeOf, withinTree, type Viewer } from '../../policy.ts'
import { channelsShown } from './store.ts'

/** Every CLI, those that an account holds, or a row for each holding below the viewer (or of one account). */
export type CliView = { cliStatus?: '0' | '1' | undefined } & (
  | { kind: 'all'; trunkId?: number | undefined }
  | { kind: 'heldBy'; accountId: number }
  | { kind: 'allocated'; accountId?: number | undefined }
)

export type CliListed = {
  id: number
  number: string
  channels: number
  pool: string
  /** The members of a group. Null for a single caller ID. */
  members: number | null
  active: boolean
  trunkId: number | null
  trunkName: string | null
  dialerName: string | null
  routeId: number | null
  routeName: string | null
  pilotNumber: string | null
  holders: string[]
  holderCount: number
  /** Of a holding; null in the other views. */
  allocationId: number | null
  userId: number | null
  username: string | null
  givenBy: string | null
}

const holdersShown = 3
const none = sql<null>`null`

/** The viewer may know the holdings of all accounts below. `users` is the holder. */
function below(viewer: Viewer, users: string): RawBuilder<boolean> {
  return sql<boolean>`(${withinTree(scopeOf(viewer), users)} and ${sql.ref(`${users}.id`)} <> ${viewer.userId})`
}

/**
 * Digits match a whole number, its beginning or its end; other text matches part of a holder's or a group's name. One list of ids, because beside
 * an `or` the holders would be read again for each caller ID.
 * @public Tests look at its plan.
 */
export function matching(viewer: Viewer, search: string): RawBuilder<boolean> {
  const digits = searchedDigits(search)
  if (!digits) {
    const pattern = containing(search.toLowerCase())
    return sql<boolean>`cli.id in (select g.id from cli g where g.is_group and lower(g.number) like ${pattern}
      union all select h.cli_id from cli_holder h join users u on u.id = h.account_id where lower(u.username) like ${pattern} and ${below(viewer, 'u')})`
  }
  const ends = `${digits.ends.split('').toReversed().join('')}%`
  const ways = [
    ...digits.begins.map((begins) => sql`cli.number like ${`${begins}%`}`),
    sql`reverse(cli.number) like ${ends}`,
  ]
  return sql<boolean>`(${sql.join(ways, sql` or `)})`
}

function clis(db: Db, { cliStatus }: CliView) {
  return db
    .selectFrom('cli')
    .leftJoin('trunk', (on) => on.onRef('trunk.id', '=', 'cli.trunk_id').on('trunk.deleted_at', 'is', null))
    .leftJoin('dialer', (on) => on.onRef('dialer.id', '=', 'trunk.dialer_id').on('dialer.deleted_at', 'is', null))
    .leftJoin('call_route', 'call_route.id', 'cli.route_id')
    .where('cli.deleted_at', 'is', null)
    .$if(cliStatus !== undefined, (rows) => rows.where('dialer.id', cliStatus === '1' ? 'is not' : 'is', null))
    .select([
      'cli.id',
      'cli.number',
      channelsShown.as('channels'),
      'cli.pool',
      sql<
        number | null
      >`case when cli.is_group then (select count(*)::int from cli_member m where m.group_id = cli.id) end`.as(
        'members',
      ),
      sql<boolean>`dialer.id is not null`.as('active'),
      'trunk.id as trunkId',
      'trunk.name as trunkName',
      'dialer.name as dialerName',
      'cli.route_id as routeId',
      'call_route.name as routeName',
      'trunk.pilot_number as pilotNumber',
    ])
}

function narrowed(db: Db, viewer: Viewer, view: CliView, search: string | undefined) {
  let rows = clis(db, view)
  if (view.kind === 'heldBy')
    rows = rows.where('cli.id', 'in', (held) =>
      held.selectFrom('cli_holder').select('cli_id').where('account_id', '=', view.accountId),
    )
  if (view.kind === 'all' && view.trunkId !== undefined) rows = rows.where('cli.trunk_id', '=', view.trunkId)
  return search ? rows.where(matching(viewer, search)) : rows
}

function listed(db: Db, viewer: Viewer, view: CliView, search: string | undefined) {
  const holding = sql`from cli_holder h join users u on u.id = h.account_id where h.cli_id = cli.id and ${below(viewer, 'u')}`
  return narrowed(db, viewer, view, search).select([
    sql<string[]>`array(select u.username ${holding} order by cardinality(u.path), h.id limit ${holdersShown})`.as(
      'holders',
    ),
    sql<number>`(select count(*)::int ${holding})`.as('holderCount'),
    sql<number | null>`${none}::int`.as('allocationId'),
    sql<number | null>`${none}::int`.as('userId'),
    sql<string | null>`${none}::text`.as('username'),
    sql<string | null>`${none}::text`.as('givenBy'),
  ])
}

function allocations(db: Db, viewer: Viewer, view: CliView & { kind: 'allocated' }, search: string | undefined) {
  const { accountId } = view
  let rows = clis(db, view)
    .innerJoin('cli_holder as held', 'held.cli_id', 'cli.id')
    .innerJoin('users as holder', 'holder.id', 'held.account_id')
    .innerJoin('users as giver', 'giver.id', 'held.given_by')
    .where(below(viewer, 'holder'))
    .select([
      sql<string[]>`'{}'::text[]`.as('holders'),
      sql<number>`0`.as('holderCount'),
      'held.id as allocationId',
      'held.account_id as userId',
      'holder.username',
      'giver.username as givenBy',
    ])
  if (accountId !== undefined) rows = rows.where('held.account_id', '=', accountId)
  if (!search) return rows
  if (searchedDigits(search)) return rows.where(matching(viewer, search))
  const pattern = containing(search.toLowerCase())
  return rows.where(
    sql<boolean>`(lower(holder.username) like ${pattern} or cli.is_group and lower(cli.number) like ${pattern})`,
  )
}

const cliKeys = { cliId: sql.ref('cli.id'), cli: sql.ref('cli.number'), channels: sql.ref('cli.channels') }
const cliId = sql.ref<number>('cli.id')
const allocationId = sql.ref<number>('held.id')

export async function list(db: Db, viewer: Viewer, view: CliView, query: ListQuery): Promise<Page<CliListed>> {
  const isFiltered = query.search !== undefined || view.cliStatus !== undefined
  if (view.kind === 'allocated') {
    const keys = { allocationId, cli: sql.ref('cli.number') }
    const some = allocations(db, viewer, view, query.search).clearSelect().select('held.id as id')
    const isOfOne = isFiltered || view.accountId !== undefined
    const sorting = { keys, id: allocationId, fallback: '-allocationId', isFiltered: isOfOne, onlyIds: true }
    const page = await readPage(db, some, query, sorting)
    const shown = allocations(db, viewer, { kind: 'allocated' }, undefined).where(among(allocationId, page.rows))
    return { ...page, rows: inOrder(page.rows, await shown.execute(), (row) => row.allocationId) }
  }
  const some = narrowed(db, viewer, view, query.search).clearSelect().select('cli.id')
  const sorting = { keys: cliKeys, id: cliId, fallback: '-cliId', isFiltered, onlyIds: true }
  const page = await readPage(db, some, query, sorting)
  return { ...page, rows: await described(db, viewer, page.rows) }
}

type Ids = readonly { id: number }[]
const among = (id: RawBuilder<number>, ids: Ids) => sql<boolean>`${id} = any (${ids.map((row) => row.id)}::int[])`

function inOrder<Row>(ids: Ids, rows: readonly Row[], idOf: (row: Row) => number | null): Row[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  return ids.flatMap(({ id }) => byId.get(id) ?? [])
}

async function described(db: Db, viewer: Viewer, ids: Ids): Promise<CliListed[]> {
  const shown = listed(db, viewer, { kind: 'all' }, undefined).where(among(cliId, ids))
  return inOrder(ids, await shown.execute(), (row) => row.id)
}

export function all(
  db: Db,
  viewer: Viewer,
  view: CliView,
  search: string | undefined,
): AsyncGenerator<readonly CliListed[]> {
  if (view.kind === 'allocated')
    return readBatches(db, allocations(db, viewer, view, search), { key: allocationId, id: allocationId })
  return readBatches(db, listed(db, viewer, view, search), { key: cliId, id: cliId })
}

/** What the viewer may allocate: dedicated CLIs only while nobody has them. All super admins count as one giver. */
export async function available(db: Db, viewer: Viewer, query: ListQuery): Promise<Page<CliListed>> {
  const ofPlatform = viewer.role === 'superAdmin'
  const given = ofPlatform
    ? sql`select from cli_holder h join users g on g.id = h.given_by where h.cli_id = cli.id and g.role = 'superAdmin'`
    : sql`select from cli_holder h where h.cli_id = cli.id and h.given_by = ${viewer.userId}`
  const view: CliView = ofPlatform ? { kind: 'all' } : { kind: 'heldBy', accountId: viewer.userId }
  const some = narrowed(db, viewer, view, query.search)
    .clearSelect()
    .select('cli.id')
    .where(sql<boolean>`(cli.pool = 'shared' or not exists (${given}))`)
  const page = await readPage(db, some, query, {
    keys: cliKeys,
    id: cliId,
    fallback: 'cli',
    isFiltered: true,
    onlyIds: true,
  })
  return { ...page, rows: await described(db, viewer, page.rows) }
}

export function takers(
  db: Db,
  viewer: Viewer,
  query: ListQuery,
): Promise<Page<{ userId: number; username: string; company: string }>> {
  let rows = db
    .selectFrom('users')
    .select(['id as userId', 'username', 'company'])
    .where('deleted_at', 'is', null)
    .where('role', '<>', 'superAdmin')
  if (viewer.role !== 'superAdmin') rows = rows.where('parent_id', '=', viewer.userId)
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(sql<boolean>`(lower(username) like ${pattern} or lower(company) like ${pattern})`)
  }
  const keys = { username: sql`lower(username)` }
  return readPage(db, rows, query, { keys, id: sql.ref('id'), fallback: 'username' })
}
