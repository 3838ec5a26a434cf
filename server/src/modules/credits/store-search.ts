import { creditActions } from '@ghanti/contract/credit-actions.ts'
import { searchedWordsMin } from '@ghanti/contract/values.ts'
import { sql, type RawBuilder } from 'kysely'
import { inTime } from '../../db/in-time.ts'
import { containing } from '../../db/list.ts'
import { isInTree, isNamed } from '../../db/user-search.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { CreditAction } from '../../db/tables.ts'

/**
 * Whose lines a viewer sees. `fundingId` is the account that the viewer gives from, the mint for super admins: a line about money from or to it is
 * turned to the viewer's side. A movement has a line on both sides; the viewer sees it once.
 */
export type HistoryView = { fundingId: number } & (
  | { kind: 'account'; accountId: number }
  | { kind: 'withChildren' }
  | { kind: 'all' }
)

/** What the reader narrows the history down to; `to` itself is not in it. */
export type Filter = {
  from?: Date | undefined
  to?: Date | undefined
  action?: CreditAction | undefined
  search?: string | undefined
}

type Where = RawBuilder<boolean>
const and = (all: readonly Where[]): Where => sql<boolean>`(${sql.join(all, sql` and `)})`

/** Lines in the order of one index; `of`: of which accounts they are. */
type Part = { where: Where; of: { account: number } | { childrenOf: number } | 'all' }

/** What the viewer sees, in parts that are each read in order from an index. */
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
  if (view.kind === 'withChildren') {
    const theirs = and([
      sql`e.parent_id = ${view.fundingId} and e.other_id is distinct from e.parent_id`,
      ...ofChildren(view.fundingId, filter),
      ...every,
    ])
    return [ofOne(view.fundingId), { where: theirs, of: { childrenOf: view.fundingId } }]
  }
  // Of a movement the child's line: its balance is what people ask for.
  const one = and([sql`(e.other_id is null or (e.action = 'credit_add') = (e.amount_paisa > 0))`, ...every])
  return [{ where: one, of: 'all' }]
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

/** Calls cost users and earn for resellers: no walk through millions of the one in search of the other. */
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

/** What a search finds is counted this far: millions of lines have some words. */
export const searchedMax = 1000
/** So many lines of the index of words are kept as ids: it reads all of them for the first, and is not asked a second time. */
const wordedMax = 10_000

/** A search, and whom and which campaigns it names: their ids as text, which goes back as it came; null: too many to be sent. */
export type Named = { search: string; people: string | null; ofCalls: string | null; ofMessages: string | null }

/** Campaigns are looked for by an index, line by line; what hundreds of accounts are called is met at once by whoever looks at each. */
const campaignsMax = 10_000
const peopleMax = 1000

/** Asked once for all that a search needs; of campaigns those that lines of the viewer, as far as the filter leaves them, can be about. */
export async function namesLike(db: Db, view: HistoryView, search: string, filter: Filter = {}): Promise<Named> {
  const like = containing(search)
  const kinds = kindsOf(filter)
  // No index finds what is shorter: all campaigns of everybody would be read.
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

/** What a line shows of an account. */
const shownNames = ['username', 'company'] as const

async function idsOf(db: Db, max: number, which: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ ids: string; count: number }>`
    select coalesce(array_agg(id), '{}')::text as ids, count(*)::int as count from (${which} limit ${max + 1}) named`.execute(
    db,
  )
  return rows[0] && rows[0].count <= max ? rows[0].ids : null
}

type Words = { arm: RawBuilder<unknown>; isWalked: boolean; isOld: boolean }
/** The lines of a part that a search finds, by what they match: `named` people's names and companies, campaigns' names, actions; `words` references and notes. */
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
 * References and notes. What few have is found by the index of words; what many have by a walk through the newest, which soon meets enough: the
 * index would answer with all of everybody's. Where the newest are few, they are all there are. `isOld`: the newest have none.
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
    ? sql`${every} and case when ${words} like ${like} then true else false end order by e.action desc, e.at desc` // no index of words is for a `case`
    : sql`${every} and ${words} like ${like}`
  return { arm, isWalked, isOld: !isWalked && matching === 0 }
}

/** Lines of people and lines of whom they moved money from or to; of each person only what can be in the part. */
function ofPeople({ where, of }: Part, { people }: Named, like: string): RawBuilder<unknown>[] {
  const named = people === null ? isNamed(like, shownNames) : sql`users.id = any (${people}::int[])`
  // One person after the other, so that a limit ends it: of all of them at once, all lines would be looked up first.
  const found = (side: RawBuilder<unknown>, who: Where) => sql`
    select e.id, e.at from users cross join lateral (select e.* from credit_entry e where ${side} = users.id and ${where} offset 0) e
     where ${who} and ${named}`
  const [mine, other] = [sql`e.account_id`, sql`e.other_id`]
  // Who sees all sees the child's line of a movement: the other side of it has children.
  if (of === 'all') return [found(mine, sql`true`), found(other, sql`users.role <> 'user'`)]
  if ('account' in of) return [found(mine, sql`users.id = ${of.account}`), found(other, isRelated(of.account))]
  return [
    found(mine, sql`users.parent_id = ${of.childrenOf}`),
    // With the reseller itself they have lines of its own, with others above nothing: below a child are its children.
    found(
      other,
      sql`users.path @> array[${of.childrenOf}::int] and users.parent_id <> ${of.childrenOf} and users.id <> ${of.childrenOf}`,
    ),
  ]
}

/**
 * `ids` is null where more are found than are kept: `searchedMax`, or `wordedMax` of the index of words. `isOld`: then they are words that the newest lines
 * do not have, which no walk from these meets soon.
 */
type Found = { ids: number[] | null; isOld: boolean }

/** A walk that meets what it looks for later than this goes through lines of which hardly one matches. */
export const walkMs = 100

/** What is found in each part, in the order of `visible`. */
export async function foundIn(db: Db, view: HistoryView, filter: Filter, names: Named): Promise<Found[]> {
  const wheres = visible(view, filter)
  const [each, small, near] = await Promise.all([
    findings(db, view, filter, names),
    Promise.all(wheres.map((part) => foundInSmall(db, part, names))),
    // Who is named so often is met soon; asked for one after the other, people come first who have thousands of lines of another kind.
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

/** In a part that is no longer than what is found: its lines one by one. By what they match, all lines of everybody in it would be gone through for the few. */
async function foundInSmall(db: Db, part: Where, names: Named): Promise<number[] | null> {
  const { rows } = await sql<{ size: number; ids: number[] }>`
    with part as materialized (select e.* from credit_entry e where ${part} order by e.at desc, e.id desc limit ${searchedMax + 1})
    select (select count(*)::int from part) as size,
           array(select e.id from part e where (select count(*) from part) <= ${searchedMax} and ${matches(names)}) as ids`.execute(
    db,
  )
  return rows[0] && rows[0].size <= searchedMax ? rows[0].ids : null
}

/** By a walk through the newest; null: it takes too long. */
function foundNear(db: Db, part: Where, names: Named): Promise<Pick<Found, 'ids'> | null> {
  const walk = sql`select e.id, e.at from credit_entry e where ${part} and ${matches(names)} order by e.at desc, e.id desc`
  return inTime(db, walkMs, async (tx) => ({ ids: await firstOf(tx, [walk]) }))
}

/** One arm after the other, and no more of them once there are too many. Null: too many; a line that two arms found counts once. */
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

/** Of whom has hundreds of thousands of lines, a bitmap of all would be made before the first is read; the planner thinks of the average account. */
function withoutBitmaps<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('enable_bitmapscan', 'off', true)`.execute(tx)
    return work(tx)
  })
}

/** All of them in each part, however many: to be sorted. */
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

/** Money moves between an account and those above and below it, or the mint, to whom all are related. */
function isRelated(accountId: number): Where {
  return sql<boolean>`(users.path @> array[${accountId}::int]
    or users.id = any (array(select unnest(me.path) from users me where me.id = ${accountId}))
    or ${accountId} = (select id from account where kind = 'mint')) and users.id <> ${accountId}`
}

/** Campaigns of calls and of messages: where their names stand, how a line names them, and their ids among those that a search names. */
type CampaignKind = { progress: RawBuilder<unknown>; id: RawBuilder<unknown>; ids: 'ofCalls' | 'ofMessages' }
const calls: CampaignKind = { progress: sql`campaign_progress`, id: sql`e.campaign_id`, ids: 'ofCalls' }
const messages: CampaignKind = { progress: sql`sms_campaign_progress`, id: sql`e.sms_campaign_id`, ids: 'ofMessages' }

/** Campaigns of which there can be lines: people move credits without one, and refunds are of messages. */
function kindsOf({ action }: Filter): CampaignKind[] {
  if (action === 'credit_add' || action === 'credit_remove') return []
  return action === 'sms_refund' ? [messages] : [calls, messages]
}

/** What the index of campaigns' lines knows of a filter. Such a line has the day in Nepal of its time: those of other days are not looked at. */
function inIndex({ from, to, action }: Filter): Where[] {
  return [
    ...(action ? [sql<boolean>`e.action = ${action}`] : []),
    ...(from ? [sql<boolean>`e.day >= nepal_day(${from})`] : []),
    ...(to ? [sql<boolean>`e.day <= nepal_day(${to}::timestamptz - interval '1 microsecond')`] : []),
  ]
}

type Sought = { names: Named; like: string; filter: Filter }

/** Of campaigns with such a name: who pays for one or earns by it is its owner or an account above, super admins excepted. */
function ofCampaigns({ where, of }: Part, kind: CampaignKind, sought: Sought): RawBuilder<unknown> {
  const { joined, payer, below } = payersIn(of)
  const line = and([sql`e.account_id = ${payer}`, sql`${kind.id} = found.campaign_id`, ...inIndex(sought.filter)])
  return sql`
    select e.id, e.at from ${campaignsNamed(kind, sought)} found ${joined}
      cross join lateral (select e.* from credit_entry e where ${line} offset 0) e
     where ${below} and ${where}`
}

/** Whose lines of campaign `found` a part has. `below`: of whose campaigns it has lines at all. */
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

/** Ids grow with the time: of lines since a day the newest campaigns have most, and once there are too many nobody looks at the others. */
function campaignsNamed({ progress, ids }: CampaignKind, { names, like, filter }: Sought): RawBuilder<unknown> {
  const known = names[ids]
  if (known === null) return sql`(select campaign_id, account_id from ${progress} where lower(name) like ${like})`
  const order = filter.from ? sql`desc` : sql`asc`
  return sql`(select campaign_id, account_id from ${progress} where campaign_id = any (${known}::int[]) order by campaign_id ${order})`
}

function rootOf(view: HistoryView): number | null {
  if (view.kind === 'all') return null
  return view.kind === 'account' ? view.accountId : view.fundingId
}

/** Campaigns of the account and of those below it; null: of all. */
function ofAccountsBelow(root: number | null): Where {
  return root === null ? sql`true` : isInTree(root, sql`found.account_id`)
}

function actionsLike(search: string): CreditAction[] {
  return creditActions.filter((action) => action.includes(search))
}

/** The same asked of one line at a time, so that a walk through all in their order ends when the page is full. */
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
