import { sql } from 'kysely'
import type { NoticeKind } from '@ghanti/contract/notices.ts'
import { languages, type Language } from '@ghanti/contract/templates.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isLive } from '../../db/live.ts'

type Due = { userId: number; noticeIds: number[]; confirmed: boolean }

/**
 * Takes the notices that are due by mail, for readers who had no mail within `pauseMs`; several processes never take the same. Notices a
 * day old are no longer mailed.
 */
export async function takeDue(
  tx: Tx,
  { now, pauseMs, limit }: { now: Date; pauseMs: number; limit: number },
): Promise<Due[]> {
  const pausedSince = new Date(now.getTime() - pauseMs)
  const { rows } = await sql<Due>`
    with due as materialized (
      select n.id from notice n
       where n.mail_due and not exists (select from notice m where m.user_id = n.user_id and m.mailed_at > ${pausedSince})
       order by n.user_id, n.id limit ${limit} for update skip locked
    ), taken as (
      update notice n set mail_due = false, mailed_at = ${now} from due where n.id = due.id
      returning n.id, n.user_id, n.at > now() - interval '1 day' as is_news
    )
    select t.user_id as "userId", array_agg(t.id order by t.id) as "noticeIds", u.verified_emailid is not distinct from u.emailid as confirmed
      from taken t join users u on u.id = t.user_id where t.is_news group by u.id, t.user_id`.execute(tx)
  return rows
}

/** Keeps them in the console, even those meant for mail alone. */
export async function keepOnScreen(tx: Tx, noticeIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ shown: true, mailed_at: null })
    .where('id', '=', sql<number>`any (${noticeIds}::bigint[])`)
    .execute()
}

export type MailedNotice = { kind: NoticeKind; paisa: number | null }

export function mailed(db: Db, userId: number, noticeIds: readonly number[]): Promise<MailedNotice[]> {
  return db
    .selectFrom('notice')
    .select(['kind', 'paisa'])
    .where('id', 'in', noticeIds)
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

export function findReader(
  db: Db,
  userId: number,
): Promise<{ address: string; username: string; confirmed: boolean; live: boolean } | undefined> {
  return db
    .selectFrom('users')
    .select(['emailid as address', 'username', isLive('users.path').as('live')])
    .select(sql<boolean>`verified_emailid is not distinct from emailid`.as('confirmed'))
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function mailLanguage(db: Db, userId: number): Promise<Language | null> {
  const chosen = await db
    .selectFrom('notice_mail_language')
    .select('language')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return languages.find((language) => language === chosen?.language) ?? null
}

export async function setMailLanguage(tx: Tx, userId: number, language: Language): Promise<void> {
  await tx
    .insertInto('notice_mail_language')
    .values({ user_id: userId, language })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language }))
    .execute()
}
