/** As many SMS campaigns as voice campaigns, of the same accounts and under the same names, one of them as large; sender IDs and texts. */
import type { Pool } from 'pg'
import { fill } from './fill.ts'

export async function makeSms(pool: Pool, of: { campaignId: number; messages: number; users: number }): Promise<void> {
  await fill(
    pool,
    'sms_campaign',
    `insert into sms_campaign (id, account_id, status, start_at, send_until, sender, price_paisa) overriding system value
     select id, account_id, status, start_at, start_at + interval '1 day', 'ALERT', 50 from campaign order by id`,
  )
  await fill(
    pool,
    'sms_campaign_detail',
    `insert into sms_campaign_detail (campaign_id, name, template, text, base_id, composed, created_at)
     select campaign_id, name, template_id % 2, 'Dear customer', base_id, '{}', created_at from campaign_detail order by campaign_id`,
  )
  await fill(
    pool,
    'sms_campaign_progress',
    `insert into sms_campaign_progress (campaign_id, account_id, name, template, sender, status, start_at, uploaded, accepted, delivered, finished_at)
     select campaign_id, account_id, name, template_id % 2, 'ALERT', status, start_at, uploaded, processed, answered, finished_at from campaign_progress order by campaign_id`,
  )
  await fill(
    pool,
    'sms_campaign_archived',
    `insert into sms_campaign_archived (campaign_id) select campaign_id from campaign_archived`,
  )
  await fill(
    pool,
    'sms_message',
    `insert into sms_message (campaign_id, no, line, phone, operator, segments, state, submitted_at, final_at)
     select $1::int, n, n + 2, 9779700000000 + (n::bigint * 7919) % 100000000, n % 4, 1 + n % 3,
            (case when n % 10 = 0 then 'failed' when n % 10 = 1 then 'submitted' else 'delivered' end)::sms_state, now(), now() from generate_series(0, $2::int - 1) n`,
    [of.campaignId, of.messages],
  )
  await fill(
    pool,
    'sms_campaign_count',
    `insert into sms_campaign_count (campaign_id, slot, submitted, delivered, failed, accepted)
     select campaign_id, 0, count(*) filter (where state = 'submitted'), count(*) filter (where state = 'delivered'), count(*) filter (where state = 'failed'),
            count(*) filter (where state <> 'failed') from sms_message group by campaign_id`,
  )
  await fill(
    pool,
    'sms_sender',
    `insert into sms_sender (account_id, name, status, operators, created_at)
     select ids[1 + n % cardinality(ids)], 'ALERT' || n, (case when n % 20 = 0 then 'pending' else 'approved' end)::approval,
            case when n % 20 = 0 then '{}' else '{0,1}'::smallint[] end, now() - ($1::int - n) * (interval '300 days' / $1::int)
       from generate_series(1, $1::int) n, (select array_agg(id) as ids from users where role <> 'superAdmin') u`,
    [of.users * 2],
  )
  await fill(
    pool,
    'sms_text',
    `insert into sms_text (account_id, name, text, status, changed_at)
     select ids[1 + n % cardinality(ids)], 'Dear ' || n, 'Dear customer, ' || md5(n::text), (case when n % 20 = 0 then 'pending' else 'approved' end)::approval,
            now() - ($1::int - n) * (interval '300 days' / $1::int)
       from generate_series(1, $1::int) n, (select array_agg(id) as ids from users where role <> 'superAdmin') u`,
    [of.users * 5],
  )
  await fill(
    pool,
    'sms_inbox',
    `insert into sms_inbox (gateway_id, key, from_number, to_number, text, at, received_at, phone, word, action, account_id, campaign_id)
     select 1, n::text, p.phone::text, '31001', 'Thank you, ' || md5(n::text), t.at, t.at, p.phone, (case when n % 50 = 0 then 'stop' end)::sms_word,
            (case when n % 50 = 0 then 'optOut' else 'kept' end)::sms_inbox_action, case when n % 20 > 0 then c.account_id end, case when n % 20 > 0 then c.id end
       from generate_series(1, $1::int) n, (select array_agg(id order by id) as ids from campaign) u
       cross join lateral (select id, account_id from campaign where id = u.ids[1 + n % cardinality(u.ids)]) c
       cross join lateral (select 9779700000000 + (n::bigint * 7919) % 100000000 as phone) p
       cross join lateral (select now() - ($1::int - n) * (interval '300 days' / $1::int) as at) t`,
    [of.messages],
  )
}
