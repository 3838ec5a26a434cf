import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder } from 'kysely'
import { containing, readBatches, readPage } from '../../db/list.ts'
import type { Db } from '../../db/db.ts'
import type { CreditAction } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

/**
 * Whose lines a viewer sees. `purseId` is the account that he gives from, the mint for super admins: a line about money from or to it is
 * turned to his side. A movement has a line on both sides; he sees it once.
 */
export type HistoryView = { purseId: number } & (
  | { kind: 'account'; accountId: number }
  | { kind: 'withChildren' }
  | { kind: 'all' }
)

export type HistoryLine = {
  id: number
  at: Date
  action: CreditAction
  /** From the viewer's side. */
  signedPaisa: number
  balancePaisa: number
  /** What it did to the account whose line it is. */
  amountPaisa: number
  /** The account whose line it is; null: of the platform. */
  username: string | null
  /** The other side of a movement; null: the platform, or none. */
  otherUsername: string | null
  /** The super admin who moved it, when one did. */
  byUsername: string | null
  company: string | null
  parentUser: string | null
  campaignName: string | null
  reference: string | null
  paymentMode: string | null
  note: string | null
}

function visible(view: HistoryView): RawBuilder<boolean> {
  if (view.kind === 'account') return sql<boolean>`e.account_id = ${view.accountId}`
  if (view.kind === 'withChildren')
    return sql<boolean>`(e.account_id = ${view.purseId} or
      e.account_id = any (array(select child.id from users child where child.parent_id = ${view.purseId})) and e.other_id is distinct from ${view.purseId})`
  // Of a movement the child's line: its balance is what people ask for.
  return sql<boolean>`(e.other_id is null or (e.action = 'credit_add') = (e.amount_paisa > 0))`
}

/** Names and words, by part; the people and campaigns that match are found first, by their indexes. */
function matching(search: string): RawBuilder<boolean> {
  const pattern = containing(search.toLowerCase())
  const people = sql`(select person.id from users person where lower(person.username) like ${pattern} or lower(person.company) like ${pattern})`
  return sql<boolean>`(e.account_id in ${people} or e.other_id in ${people}
    or e.campaign_id in (select found.campaign_id from campaign_progress found where lower(found.name) like ${pattern})
    or e.action::text like ${pattern} or lower(e.reference) like ${pattern} or lower(e.note) like ${pattern})`
}

function lines(db: Db, view: HistoryView, search: string | undefined) {
  const rows = db
    .selectFrom('credit_entry as e')
    .leftJoin('users as mine', 'mine.id', 'e.account_id')
    .leftJoin('users as other', 'other.id', 'e.other_id')
    .leftJoin('users as actor', (on) => on.onRef('actor.id', '=', 'e.by_user_id').on('actor.role', '=', 'superAdmin'))
    // Whom it is about: the child of a movement, whichever side the line is of.
    .leftJoin('users as child', (on) =>
      on.on(sql<boolean>`child.id = case when e.other_id is null or (e.action = 'credit_add') = (e.amount_paisa > 0)
        then e.account_id else e.other_id end`),
    )
    .leftJoin('users as parent', 'parent.id', 'child.parent_id')
    .leftJoin('campaign_detail as campaign', 'campaign.campaign_id', 'e.campaign_id')
    .select([
      'e.id',
      'e.at',
      'e.action',
      'e.amount_paisa as amountPaisa',
      sql<number>`case when e.other_id = ${view.purseId} then -e.amount_paisa else e.amount_paisa end`.as(
        'signedPaisa',
      ),
      'e.balance_paisa as balancePaisa',
      'mine.username',
      'other.username as otherUsername',
      'actor.username as byUsername',
      'child.company',
      'parent.username as parentUser',
      'campaign.name as campaignName',
      'e.reference',
      'e.payment_mode as paymentMode',
      'e.note',
    ])
    .where(visible(view))
  return search ? rows.where(matching(search)) : rows
}

const at = sql.ref('e.at')
const id = sql.ref<number>('e.id')

export function list(db: Db, view: HistoryView, query: ListQuery): Promise<Page<HistoryLine>> {
  return readPage(db, lines(db, view, query.search), query, { keys: { reqDate: at }, id, fallback: '-reqDate' })
}

/** Every line, the newest first, in batches. */
export function all(db: Db, view: HistoryView, search: string | undefined): AsyncGenerator<HistoryLine[]> {
  return readBatches(db, lines(db, view, search), { key: at, id })
}

export async function mintId(db: Db): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()
  return id
}

/** Is this account the viewer's direct child? */
export async function isChild(db: Db, parentId: number, userId: number): Promise<boolean> {
  const child = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('parent_id', '=', parentId)
    .executeTakeFirst()
  return child !== undefined
}
