import { sql } from 'kysely'
import { accept } from '../../modules/sends/store.ts'
import type { Viewer } from '../../policy.ts'
import type { EngineDb } from '../../voice/testing/fixtures.ts'
import { newSmsCampaign } from './fixtures.ts'

type At = Pick<EngineDb, 'db'>

/** The feed of today, of an account and a sender ID of its own: a segment costs 150, 120 and 100 paisa. */
export async function newFeed(at: At, user: Viewer, { daysAgo = 0 } = {}): Promise<number> {
  const id = await newSmsCampaign(at, { user, phones: [], text: '{text}' })
  await sql`
    update sms_campaign set feed = nepal_day(now()) - ${daysAgo}::int, sender = 'FEED' || id,
      send_until = nepal_midnight(nepal_day(now()) - ${daysAgo}::int + 2)
    where id = ${id}`.execute(at.db)
  await sql`update sms_campaign_detail set base_id = null, template = 1 where campaign_id = ${id}`.execute(at.db)
  await sql`insert into sms_stream (campaign_id, operator, fresh_next, fresh_end) select ${id}, o, 0, 0 from generate_series(0, 3) o`.execute(
    at.db,
  )
  return id
}

type Message = {
  phone: number
  segments?: number
  text?: string
  reference?: string | null
  validSeconds?: number
  isUrgent?: boolean
}

/** As the API accepts it. */
export function sendTo(at: At, feedId: number, { segments = 1, text = 'Namaste', ...message }: Message) {
  const { reference = null, validSeconds = 600, isUrgent = false, phone } = message
  return accept(at.db, {
    feedId,
    keyId: null,
    operator: 1,
    phone,
    segments,
    text,
    reference,
    validSeconds,
    isUrgent,
  })
}

/** The time of its messages that wait is over. */
export async function endTimes(at: At, feedId: number): Promise<void> {
  await sql`update sms_retry set until = now() - interval '1 second' where campaign_id = ${feedId}`.execute(at.db)
}
