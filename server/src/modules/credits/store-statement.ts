import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { containing } from '../../db/lists/list.ts'
import { ownedPaisa } from '../../db/owned.ts'
import type { Viewer } from '../../policy.ts'
import type { StatementGroup, StatementSums } from './rules-statement.ts'

/**
 * One statement, so that concurrent postings are in all sums or in none. Derives the closing balance from the current one minus what came
 * after the month, so recent months, the usual ones, read little.
 */
export async function sums(db: Db, accountId: number, from: Date, to: Date): Promise<StatementSums> {
  const { rows } = await sql<{ closingPaisa: number } & { [K in keyof StatementGroup]: StatementGroup[K] | null }>`
    with owned as (
      select ${ownedPaisa('a')} as paisa from account a where a.id = ${accountId}
    ), later as (
      select coalesce(sum(e.amount_paisa), 0)::bigint as paisa from credit_entry e where e.account_id = ${accountId} and e.at >= ${to}
    ), moved as (
      select e.action, e.other_id, e.campaign_id, e.sms_campaign_id, sum(e.amount_paisa)::bigint as paisa, count(*)::int as entries
        from credit_entry e where e.account_id = ${accountId} and e.at >= ${from} and e.at < ${to}
       group by e.action, e.other_id, e.campaign_id, e.sms_campaign_id, e.amount_paisa < 0
    )
    select o.paisa - l.paisa as "closingPaisa", m.action, coalesce(u.username, c.name, s.name, 'Platform') as name, m.paisa, m.entries
      from owned o cross join later l left join moved m on true
      left join users u on u.id = m.other_id left join campaign_detail c on c.campaign_id = m.campaign_id
      left join sms_campaign_detail s on s.campaign_id = m.sms_campaign_id`.execute(db)
  const groups = rows.flatMap(({ action, name, paisa, entries }) =>
    action !== null && name !== null && paisa !== null && entries !== null ? [{ action, name, paisa, entries }] : [],
  )
  return { closingPaisa: rows[0]?.closingPaisa ?? 0, groups }
}

export async function nameOf(db: Db, userId: number): Promise<string> {
  const { username } = await db
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return username
}

type Child = { userId: number; username: string; company: string }

/**
 * Direct children by name; a super admin's are those of all super admins. The list of users has choices of its own (`choices`): of the whole tree, by address and
 * number too, where a statement is given to direct children only.
 */
export async function findChildren(db: Db, viewer: Viewer, search: string | undefined): Promise<Child[]> {
  const pattern = containing((search ?? '').toLowerCase())
  let found = db
    .selectFrom('users as child')
    .select(['child.id as userId', 'child.username', 'child.company'])
    .where('child.deleted_at', 'is', null)
    .where(sql<boolean>`(lower(child.username) like ${pattern} or lower(child.company) like ${pattern})`)
    .orderBy(sql`lower(child.username)`)
    .limit(50)
  if (viewer.role === 'superAdmin')
    found = found.where('child.parent_id', 'in', (e) =>
      e.selectFrom('users as boss').select('boss.id').where('boss.role', '=', 'superAdmin'),
    )
  else found = found.where('child.parent_id', '=', viewer.userId)
  return found.execute()
}
