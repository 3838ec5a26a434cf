import { creditActions, type CreditAction } from '@ghanti/contract/credit-actions.ts'
import { searchedWordsMin } from '@ghanti/contract/values.ts'
import { sql, type RawBuilder } from 'kysely'
import { inTime } from '../../db/in-time.ts'
import { containing } from '../../db/lists/list.ts'
import { isInTree, isNamed } from '../../db/search/users.ts'
import type { Db, Tx } from '../../db/db.ts'

/**
 * Whose lines a list shows: those of one account, of a reseller's children, or of everybody but the platform. A movement has a line on both
 * sides, each signed from the side of the account that it belongs to.
 */
export type HistoryView =
  | { kind: 'account'; accountId: number }
  | { kind: 'children'; parentId: number }
  | { kind: 'all'; mintId: number }

/** How the reader narrows the history. `to` is exclusive. */
export type Filter = {
  from?: Date | undefined
  to?: Date | undefined
  action?: CreditAction | undefined
  search?: string | undefined
}

type Where = RawBuilder<boolean>
const and = (all: readonly Where[]): Where => sql<boolean>`(${sql.join(all, sql` and `)})`

/** Lines that one index has in their order. `of`: the accounts that they belong to. */
type Part = { where: Where; of: { account: number } | { childrenOf: number } | 'all' }

/** The lines that the viewer sees, in parts that an index has in their order. */
export function visible(view: HistoryView, filter: Filter): Where[] {
  return parts(view, filter).map(({ where }) => where)
}

function parts(view: HistoryView, filter: Filter): Part[] {
  const every = filtered(filter)
  const ofOne = (account: number): Part => ({
    where: and([sql`e.account_id = ${account}`, ...ofAccount(account, filter), ...every]),
    of: { account },
  })
  if (view.kind === 'account') return [ofOne(view.accountId)]
  if (view.kind === 'children') {
    const theirs = and([sql`e.parent_id = ${view.parentId}`, ...ofChildren(view.parentId, filter), ...every])
    return [{ where: theirs, of: { childrenOf: view.parentId } }]
  }
  return [{ where: and([sql`e.account_id <> ${view.mintId}`, ...every]), of: 'all' }]
}

function filtered({ from, to, action }: Filter): Where[] {
  const ofCampaigns = action === 'campaign_deduction' || action === 'campaign_margin'
  return [
    ...(from ? [sql<boolean>`e.at >= ${from}`] : []),
    ...(to ? [sql<boolean>`e.at < ${to}`] : []),
    ...(action ? [sql<boolean>`e.action = ${action}`] : []),
    ...(action && !ofCampaigns ? [sql<boolean>`e.campaign_id is null`] : []),
  ]
}

/** Calls cost users and earn for resellers. Without this, a search for one kind would walk through millions of lines of the other. */
const payers: Partial<Record<CreditAction, string>> = { campaign_deduction: 'user', campaign_margin: 'reseller' }

function ofAccount(accountId: number, { action }: Filter): Where[] {
  const role = action && payers[action]
  return role ? [sql`exists (select from users where id = ${accountId} and role = ${role})`] : []
}

function ofChildren(parentId: number, { action }: Filter): Where[] {
  const role = action && payers[action]
  return role ? [sql`exists (select from users where parent_id = ${parentId} and role = ${role})`] : []
}

const isWorded = sql`e.campaign_id is null and (e.reference is not null or e.note is not null)`
const words = sql`lower(coalesce(e.reference, '') || chr(10) || coalesce(e.note, ''))`

/** Matches are counted up to this number, since a common word is in millions of lines. */
export const searchedMax = 1000
/** How many ids from the index of words are kept. The index returns all of them at once, so a second query would only repeat the work. */
const wordedMax = 10_000

/** A search text, and the people and campaigns whose names match it: their ids as text, which is sent back as it came. Null: too many to send. */
export type Named = { search: string; people: string | null; ofCalls: string | null; ofMessages: string | null }

/** Names that are looked up line by line; those of campaigns from three letters on. */
export function unnamed(search: string): Named {
  const campaigns = search.length < searchedWordsMin ? '{}' : null
  return { search, people: null, ofCalls: campaigns, ofMessages: campaigns }
}

/** How many names are kept. Campaigns are looked up in an index one by one. Fewer accounts are kept, because a walk soon meets an account's common name. */
const campaignsMax = 10_000
const peopleMax = 1000

/** Finds the names once for all parts of a search. Campaigns are limited to those that the viewer's filtered lines can be about. */
export async function namesLike(db: Db, view: HistoryView, search: string, filter: Filter = {}): Promise<Named> {
  const like = containing(search)
  const kinds = kindsOf(filter)
  // No index can find shorter texts, so every campaign would be read.
  const campaignsOf = async (kind: CampaignKind) =>
    search.length < searchedWordsMin || !kinds.includes(kind)
      ? '{}'
      : await idsOf(
          db,
          campaignsMax,
          sql`select found.campaign_id as id from ${kind.progress} found where lower(found.name) like ${like} and ${ofAccountsBelow(rootOf(view))}`,
        )
  const [people, ofCalls, ofMessages] = await Promise.all([
    idsOf(db, peopleMax, sql`select id from users where ${isNamed(like, shownNames)}`),
    campaignsOf(calls),
    campaignsOf(messages),
  ])
  return { search, people, ofCalls, ofMessages }
}

const shownNames = ['username', 'company'] as const

async function idsOf(db: Db, max: number, which: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ ids: string; count: number }>`
    select coalesce(array_agg(id), '{}')::text as ids, count(*)::int as count from (${which} limit ${max + 1}) named`.execute(
    db,
  )
  return rows[0] && rows[0].count <= max ? rows[0].ids : null
}

type Words = { arm: RawBuilder<unknown>; isWalked: boolean; isOld: boolean }
/** Queries for the lines that match a search: `named` by people, companies, campaigns and actions, `words` by references and notes. */
type Findings = { named: RawBuilder<unknown>[]; words: Words | null }

function findings(db: Db, view: HistoryView, filter: Filter, names: Named): Promise<Findings[]> {
  const like = containing(names.search)
  return Promise.all(
    parts(view, filter).map(async (part, i) => ({
      named: [
        ...ofPeople(part, names, like),
        ...kindsOf(filter).map((kind) => ofCampaigns(part, kind, { names, like, filter })),
        ...actionsLike(names.search).map((action) => {
          const narrowed = visible(view, { ...filter, action }).slice(i, i + 1)
          return sql`select e.id, e.at from credit_entry e where ${and([part.where, ...narrowed])}`
        }),
      ],
      words: names.search.length < searchedWordsMin ? null : await ofWords(db, part, filter, like),
    })),
  )
}

const sampled = 1000
const commonFrom = 40

/**
 * Matches in references and notes. A rare word is found by the index of words. A common one is found by a walk through the newest lines, which
 * soon meets enough of them, whereas the index would return everybody's. `isOld`: none of the newest lines has it.
 */
async function ofWords(db: Db, { where }: Part, { action }: Filter, like: string): Promise<Words> {
  const { rows } = await sql<{ seen: number; matching: number }>`
    select count(*)::int as seen, (count(*) filter (where ${words} like ${like}))::int as matching from (
      select e.reference, e.note from credit_entry e where ${where} and ${isWorded} and e.action = ${action ?? 'credit_add'} order by e.at desc limit ${sampled}) e`.execute(
    db,
  )
  const { seen, matching } = rows[0] ?? { seen: 0, matching: 0 }
  const every = sql`select e.id, e.at from credit_entry e where ${where} and ${isWorded}`
  const isWalked = seen < sampled || matching >= commonFrom
  const arm = isWalked
    ? sql`${every} and case when ${words} like ${like} then true else false end order by e.action desc, e.at desc` // a `case` keeps the planner from the index of words
    : sql`${every} and ${words} like ${like}`
  return { arm, isWalked, isOld: !isWalked && matching === 0 }
}

/** Lines of matching people, and lines of those with whom they moved money, limited to lines that the part can have. */
function ofPeople({ where, of }: Part, { people }: Named, like: string): RawBuilder<unknown>[] {
  const named = people === null ? isNamed(like, shownNames) : sql`users.id = any (${people}::int[])`
  // One person after the other, so that the limit ends the search. In one join, all lines would be looked up first.
  const found = (side: RawBuilder<unknown>, who: Where) => sql`
    select e.id, e.at from users cross join lateral (select e.* from credit_entry e where ${side} = users.id and ${where} offset 0) e
     where ${who} and ${named}`
  const [mine, other] = [sql`e.account_id`, sql`e.other_id`]
  if (of === 'all') return [found(mine, sql`true`), found(other, sql`true`)]
  if ('account' in of) return [found(mine, sql`users.id = ${of.account}`), found(other, isRelated(of.account))]
  return [
    found(mine, sql`users.parent_id = ${of.childrenOf}`),
    // Money moves between a child and the reseller, or accounts below the child; with other accounts above there is none.
    found(other, sql`users.path @> array[${of.childrenOf}::int] and users.parent_id <> ${of.childrenOf}`),
  ]
}

/**
 * The ids of the matches; null: more than `searchedMax`, or than `wordedMax` of the index of words. `isOld`: the matches are not among the
 * newest lines, so no walk that begins there meets them soon.
 */
type Found = { ids: number[] | null; isOld: boolean }

/** A walk that takes longer than this is finding hardly any matches. */
export const walkMs = 100

/** The matches in each part, in the order of `visible`. */
export async function foundIn(db: Db, view: HistoryView, filter: Filter, names: Named): Promise<Found[]> {
  const wheres = visible(view, filter)
  const [each, small, near] = await Promise.all([
    findings(db, view, filter, names),
    Promise.all(wheres.map((part) => foundInSmall(db, part, names))),
    // A common name is met soon by a walk. Asked for one person after the other, those with thousands of lines of another kind would come first.
    Promise.all(wheres.map((part) => (names.people === null ? foundNear(db, part, names) : null))),
  ])
  return Promise.all(
    each.map(async ({ named, words }, i) => {
      const ofSmall = small[i]
      if (ofSmall) return { ids: ofSmall, isOld: false }
      const ofNear = near[i]
      if (ofNear) return { ids: ofNear.ids, isOld: false }
      const [byName, byWords] = await Promise.all([
        withoutBitmaps(db, (tx) => firstOf(tx, named)),
        words ? firstOf(db, [words.arm], words.isWalked ? searchedMax : wordedMax) : [],
      ])
      const ids = byName && byWords && [...new Set([...byName, ...byWords])]
      return { ids, isOld: ids === null && byName !== null && words?.isOld === true }
    }),
  )
}

/**
 * Tests each line of a part that is shorter than the limit. A search by names would read all lines of everybody in it to find a few. Null: the
 * part is longer.
 */
async function foundInSmall(db: Db, part: Where, names: Named): Promise<number[] | null> {
  const { rows } = await sql<{ size: number; ids: number[] }>`
    with part as materialized (select e.* from credit_entry e where ${part} order by e.at desc, e.id desc limit ${searchedMax + 1})
    select (select count(*)::int from part) as size,
           array(select e.id from part e where (select count(*) from part) <= ${searchedMax} and ${matches(names)}) as ids`.execute(
    db,
  )
  return rows[0] && rows[0].size <= searchedMax ? rows[0].ids : null
}

/** Walks through the newest lines. Null when that takes too long. */
function foundNear(db: Db, part: Where, names: Named): Promise<Pick<Found, 'ids'> | null> {
  const walk = sql`select e.id, e.at from credit_entry e where ${part} and ${matches(names)} order by e.at desc, e.id desc`
  return inTime(db, walkMs, async (tx) => ({ ids: await firstOf(tx, [walk]) }))
}

/** Asks one query after the other and stops when there are too many matches, which is null. A line that two queries find counts once. */
async function firstOf(
  db: Db,
  arms: readonly RawBuilder<unknown>[],
  max: number = searchedMax,
): Promise<number[] | null> {
  const limited = arms.map((arm) => sql`(${arm} limit ${max + 1})`)
  const read = async (joined: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: number }>`
      select id from (${joined}) found limit ${max + 1}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const first = await read(sql.join(limited, sql` union all `))
  const once = [...new Set(first)]
  if (first.length <= max) return once
  if (once.length > max) return null
  const every = await read(sql.join(limited, sql` union `))
  return every.length > max ? null : every
}

/** PostgreSQL plans for an average account and would make a bitmap of hundreds of thousands of lines before it reads the first. */
function withoutBitmaps<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_bitmapscan', 'off', true)`.execute(tx)
    return work(tx)
  })
}

export async function found(
  db: Db,
  view: HistoryView,
  filter: Filter,
  names: Named,
): Promise<RawBuilder<{ id: number; at: Date }>[]> {
  const each = await findings(db, view, filter, names)
  return each.map(({ named, words }) => {
    const all = [...named, ...(words ? [words.arm] : [])].map((arm) => sql`(${arm})`)
    return sql`(${sql.join(all, sql` union `)})`
  })
}

/** Accounts that can move money with this one: those above and below it. The mint can with all. */
function isRelated(accountId: number): Where {
  return sql<boolean>`(users.path @> array[${accountId}::int]
    or users.id = any (array(select unnest(me.path) from users me where me.id = ${accountId}))
    or ${accountId} = (select id from account where kind = 'mint')) and users.id <> ${accountId}`
}

/** A kind of campaign: the table with its names, the column by which a line refers to it, and the field of `Named` with the matching ids. */
type CampaignKind = { progress: RawBuilder<unknown>; id: RawBuilder<unknown>; ids: 'ofCalls' | 'ofMessages' }
const calls: CampaignKind = { progress: sql`campaign_progress`, id: sql`e.campaign_id`, ids: 'ofCalls' }
const messages: CampaignKind = { progress: sql`sms_campaign_progress`, id: sql`e.sms_campaign_id`, ids: 'ofMessages' }

function kindsOf({ action }: Filter): CampaignKind[] {
  return action === 'credit_add' || action === 'credit_remove' ? [] : [calls, messages]
}

/** The part of a filter that the index of campaigns' lines can answer. Such a line has its day in Nepal, so other days are not read. */
function inIndex({ from, to, action }: Filter): Where[] {
  return [
    ...(action ? [sql<boolean>`e.action = ${action}`] : []),
    ...(from ? [sql<boolean>`e.day >= nepal_day(${from})`] : []),
    ...(to ? [sql<boolean>`e.day <= nepal_day(${to}::timestamptz - interval '1 microsecond')`] : []),
  ]
}

type Sought = { names: Named; like: string; filter: Filter }

/** Lines of matching campaigns. A campaign is paid for by its owner, and earns for the accounts above that are not super admins. */
function ofCampaigns({ where, of }: Part, kind: CampaignKind, sought: Sought): RawBuilder<unknown> {
  const { joined, payer, below } = payersIn(of)
  const line = and([sql`e.account_id = ${payer}`, sql`${kind.id} = found.campaign_id`, ...inIndex(sought.filter)])
  return sql`
    select e.id, e.at from ${campaignsNamed(kind, sought)} found ${joined}
      cross join lateral (select e.* from credit_entry e where ${line} offset 0) e
     where ${below} and ${where}`
}

/** The account that has a line about campaign `found` in this part. `below`: limits the campaigns to those that have lines in it. */
function payersIn(of: Part['of']): { joined: RawBuilder<unknown>; payer: RawBuilder<unknown>; below: Where } {
  const owner = sql`join users owner on owner.id = found.account_id`
  if (of === 'all')
    return {
      joined: sql`${owner} cross join unnest(owner.path) payer`,
      payer: sql`payer`,
      below: sql`payer <> all (array(select id from users where role = 'superAdmin' and deleted_at is null))`,
    }
  if ('account' in of) return { joined: sql``, payer: sql`${of.account}::int`, below: ofAccountsBelow(of.account) }
  return {
    joined: owner,
    payer: sql`owner.path[array_position(owner.path, ${of.childrenOf}::int) + 1]`,
    below: ofAccountsBelow(of.childrenOf),
  }
}

/** Ids grow with time, so the lines since a given day belong mostly to the newest campaigns. Reading stops when there are too many. */
function campaignsNamed({ progress, ids }: CampaignKind, { names, like, filter }: Sought): RawBuilder<unknown> {
  const known = names[ids]
  if (known === null) return sql`(select campaign_id, account_id from ${progress} where lower(name) like ${like})`
  const order = filter.from ? sql`desc` : sql`asc`
  return sql`(select campaign_id, account_id from ${progress} where campaign_id = any (${known}::int[]) order by campaign_id ${order})`
}

function rootOf(view: HistoryView): number | null {
  if (view.kind === 'all') return null
  return view.kind === 'account' ? view.accountId : view.parentId
}

/** Campaigns of the account and of those below it. Null: of all accounts. */
function ofAccountsBelow(root: number | null): Where {
  return root === null ? sql`true` : isInTree(root, sql`found.account_id`)
}

function actionsLike(search: string): CreditAction[] {
  return creditActions.filter((action) => action.includes(search))
}

/** The same search as a condition on one line, so that a walk in the list's order ends when the page is full. */
export function matches({ search, people, ofCalls, ofMessages }: Named): Where {
  const like = containing(search)
  const isOne = (id: RawBuilder<unknown>, ids: string) => sql`coalesce(${id} = any (${ids}::int[]), false)`
  const worded =
    search.length < searchedWordsMin
      ? sql`false`
      : sql`coalesce(e.reference || chr(10), '') || coalesce(e.note, '') ilike ${like}`
  const named = ({ progress, id }: CampaignKind, ids: string | null) =>
    ids === null
      ? sql`(select lower(c.name) like ${like} from ${progress} c where c.campaign_id = ${id})`
      : isOne(id, ids)
  const person = (id: RawBuilder<unknown>) =>
    people === null
      ? sql`coalesce((select lower(u.username) like ${like} or lower(u.company) like ${like} from users u where u.id = ${id}), false)`
      : isOne(id, people)
  return sql<boolean>`(case when e.action::text like ${like} or ${person(sql`e.account_id`)} then true
    when e.campaign_id is not null then ${named(calls, ofCalls)}
    when e.sms_campaign_id is not null then ${named(messages, ofMessages)} else ${person(sql`e.other_id`)} or ${worded} end)`
}
