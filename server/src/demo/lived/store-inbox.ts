import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'

const replies = [
  { campaign: 'Report cards', text: 'धन्यवाद, आउँछौँ', hoursAgo: 170, action: 'kept' },
  { campaign: 'Report cards', text: 'Can we come on Sunday instead?', hoursAgo: 160, action: 'kept' },
  { campaign: 'Thank you', text: 'Very good service', hoursAgo: 330, action: 'kept' },
  { campaign: 'App update', text: 'Where do I find the app?', hoursAgo: 30, action: 'kept' },
  { campaign: 'App update', text: 'मेरो फोनमा चल्दैन', hoursAgo: 20, action: 'kept' },
  { campaign: 'App update', text: 'STOP', hoursAgo: 1, action: 'optOut' },
] as const

/** What people wrote back to campaigns, each from a number of its own, with the entry on the blacklist of whoever wrote STOP. */
export async function insertReplies(tx: Tx): Promise<void> {
  await sql`
    with replies as (
      select r.*, row_number() over () as n
        from json_to_recordset(${JSON.stringify(replies)}::json) as r (campaign text, text text, "hoursAgo" int, action sms_inbox_action)
    ), came as (
      select r.n, r.text, r.action, now() - r."hoursAgo" * interval '1 hour' as at, d.campaign_id, c.account_id, c.sender, m.phone, m.gateway_id
        from replies r join sms_campaign_detail d on d.name = r.campaign join sms_campaign c on c.id = d.campaign_id
        join lateral (select phone, gateway_id from sms_message m where m.campaign_id = c.id and m.state = 'delivered'
                       order by m.no offset r.n * 7 limit 1) m on true
    ), listed as (
      insert into blacklist (owner_id, phone, opt_out, created_at) select account_id, phone, true, at from came where action = 'optOut'
    )
    insert into sms_inbox (gateway_id, key, from_number, to_number, text, at, received_at, phone, word, action, account_id, campaign_id)
    select gateway_id, 'demo ' || n, '+' || phone, sender, text, at, at, phone, case action when 'optOut' then 'stop'::sms_word end, action,
           account_id, campaign_id
      from came order by at`.execute(tx)
}
