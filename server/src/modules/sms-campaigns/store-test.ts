import type { SentTextState } from '@ghanti/contract/after-call.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

/** The outcome of a campaign's only message, or why it waits. A campaign that is over without it sent nothing. */
export async function testedMessage(
  db: Db,
  campaignId: number,
): Promise<{ state: SentTextState; reason: string | null }> {
  const { rows } = await sql<{ state: SentTextState; reason: string | null }>`
    select case when m.state is not null and m.state <> 'fresh' then after_call_state(m.state) when c.status in ('complete', 'cancelled') then 'cancelled'
        when c.status in ('refused', 'failed') then 'failed' else 'waiting' end as state, coalesce(m.reason, c.reason) as reason
      from sms_campaign c left join sms_message m on m.campaign_id = c.id and m.no = 0 where c.id = ${campaignId}`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('a test message has no campaign')
  return found
}
