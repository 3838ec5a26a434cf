import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { sessionMaxMs, sessionSlidingMs } from '../auth/rules.ts'

export type PlanHeld = { name: string; pulseMs: number; pulsePaisa: number; smsPaisa: number | null }
export type Standing = {
  createdAt: Date
  lowBalancePaisa: number
  /** The reseller right above; null: the platform. */
  aboveId: number | null
  plan: PlanHeld | null
  planAbove: PlanHeld | null
  inUse: number
  given: number
  sessions: number
  hasSecondFactor: boolean
}

const planOf = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`case when ${column('id')} is not null then jsonb_build_object('name', ${column('name')}, 'pulseMs', ${column('pulse_ms')},
    'pulsePaisa', ${column('pulse_price_paisa')}, 'smsPaisa', ${column('sms_price_paisa')}) end`
}

export async function standing(db: Db, userId: number, now: Date): Promise<Standing> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Standing>`
    select u.created_at as "createdAt", a.low_balance_paisa as "lowBalancePaisa", case when above.role <> 'superAdmin' then above.id end as "aboveId",
           ${planOf('plan')} as plan, case when above.role <> 'superAdmin' then ${planOf('plan_above')} end as "planAbove", calls_in_progress(u.id) as "inUse",
           (select coalesce(sum(g.channels), 0)::int from users child join account_channels g on g.account_id = child.id
             where child.parent_id = u.id and child.deleted_at is null) as given,
           (select count(*)::int from session s where s.user_id = u.id and s.last_seen_at > ${since(sessionSlidingMs)} and s.created_at > ${since(sessionMaxMs)}) as sessions,
           (exists (select from totp t where t.user_id = u.id) or exists (select from passkey k where k.user_id = u.id))
             as "hasSecondFactor"
      from users u join account a on a.id = u.id
      left join users above on above.id = u.parent_id
      left join plan on plan.id = u.plan_id
      left join plan plan_above on plan_above.id = above.plan_id
     where u.id = ${userId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`account ${userId} does not exist`)
  return row
}

const linesLooked = 1000

export type SignIn = { at: Date; ip: string; failed: boolean }

/**
 * The newest sign-ins and failed tries, at most `most` of each, so that failed ones cannot crowd out the others. Looks at the account's last thousand
 * audit lines.
 */
export async function signIns(db: Db, userId: number, most: number): Promise<SignIn[]> {
  const { rows } = await sql<SignIn>`
    select at, ip, action <> 'login' as failed
      from (select at, id, ip, action, row_number() over (partition by action <> 'login' order by at desc, id desc) as nth from (
        select at, id, ip, action from audit_log where target = ${`user ${userId}`} order by at desc, id desc limit ${linesLooked}) looked
         where action in ('login', 'login.failed', 'login.factorFailed')) numbered
     where nth <= ${most} order by at desc, id desc`.execute(db)
  return rows
}
