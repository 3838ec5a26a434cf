import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'

/** Accounts, lines, files and first credits are as old as the history; campaigns are as old as their starts. */
export async function dateBack(tx: Tx, begun: Date): Promise<void> {
  await sql`update users set created_at = ${begun}`.execute(tx)
  await sql`update transfer set at = ${begun}`.execute(tx)
  await sql`update credit_entry set at = ${begun}`.execute(tx)
  await sql`update plan set created_at = ${begun}`.execute(tx)
  await sql`update prompt set created_at = ${begun}, decided_at = ${begun} where status <> 'pending'`.execute(tx)
  await sql`update notice set at = ${begun}, first_at = ${begun} where kind = 'promptApproved'`.execute(tx)
  await sql`update sms_sender set created_at = ${begun}, decided_at = ${begun} where status = 'approved'`.execute(tx)
  await sql`update base set created_at = ${begun}, kept_from = ${begun}`.execute(tx)
  await sql`
    update campaign_detail d set created_at = c.start_at - interval '5 minutes' from campaign c where c.id = d.campaign_id and c.start_at < now()`.execute(
    tx,
  )
  await sql`
    update sms_campaign_detail d set created_at = c.start_at - interval '5 minutes' from sms_campaign c where c.id = d.campaign_id and c.start_at < now()`.execute(
    tx,
  )
  await sql`update audit_log set at = ${begun}`.execute(tx)
  await sql`
    update audit_log a set at = c.start_at - interval '5 minutes' from campaign c where a.action = 'campaign.compose' and a.target = 'campaign ' || c.id`.execute(
    tx,
  )
  await sql`
    update audit_log a set at = c.start_at - interval '5 minutes' from sms_campaign c where a.action = 'sms.compose' and a.target = 'sms campaign ' || c.id`.execute(
    tx,
  )
}

/** Months began at their first midnight. */
export async function beganThen(tx: Tx): Promise<void> {
  await sql`update partition_month set begun_at = least(begun_at, nepal_midnight(month))`.execute(tx)
}

/** What people have seen by now: all notices but those of the last two days. */
export async function readOldNotices(tx: Tx): Promise<void> {
  await sql`update notice set read_at = at + interval '1 hour' where at < now() - interval '2 days' or kind = 'promptApproved'`.execute(
    tx,
  )
}
