import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'

/** Credits that a child got from the account above. Times in ISO. */
export type PastRecharge = {
  at: string
  payer_id: number
  payee_id: number
  paisa: number
  by_user_id: number
  payment_mode: string
  reference: string
}

/** What every level paid and got for the staged calls and messages, and the recharges: ledger, statements and balances, in the order of time. */
export async function writeMoney(tx: Tx, recharges: readonly PastRecharge[]): Promise<void> {
  await stageLevels(tx)
  await sql`
    insert into transfer (batch_id, at, amount_paisa, payer_id, payee_id, campaign_id, sms_campaign_id, attempts, level, kind)
    select batch_id, at, paisa, payer_id, payee_id, campaign_id, sms_campaign_id, n, level, kind from (
      select * from past_level
      union all
      select null, r.at, r.payer_id, r.payee_id, r.paisa, null, null, 0, 0::smallint, 'credit_add'::transfer_kind
        from json_to_recordset(${JSON.stringify(recharges)}::json) as r (at timestamptz, payer_id int, payee_id int, paisa bigint)
    ) moved order by at, batch_id, level`.execute(tx)
  await stageEntries(tx, recharges)
  await sql`
    insert into credit_entry (account_id, action, other_id, campaign_id, sms_campaign_id, day, amount_paisa, balance_paisa, at, by_user_id, reference, payment_mode)
    select e.account_id, e.action, e.other_id, e.campaign_id, e.sms_campaign_id, e.day, e.paisa,
           a.balance_paisa + sum(e.paisa) over (partition by e.account_id order by e.at, e.no), e.at, e.by_user_id, e.reference, e.payment_mode
      from past_entry e join account a on a.id = e.account_id order by e.at, e.no`.execute(tx)
  await sql`
    update account a set balance_paisa = a.balance_paisa + e.paisa
      from (select account_id, sum(paisa) as paisa from past_entry group by 1) e where e.account_id = a.id`.execute(tx)
}

/** What each level pays for a batch, as settling says: no level more than the ones below it. */
async function stageLevels(tx: Tx): Promise<void> {
  await sql`
    create temp table past_level on commit drop as
    select batch_id, max(settled_at) as at, payer_id, payee_id, sum(paisa)::bigint as paisa, campaign_id, sms_campaign_id, count(*)::int as n, level, kind
      from (
        select c.batch_id, c.settled_at, l.payer_id, l.payee_id, c.campaign_id, null::int as sms_campaign_id, l.level, 'calls'::transfer_kind as kind,
               min((pulses(c.bill_ms, l.pulse_ms) + pulses(c.patch_bill_ms, l.pulse_ms)) * l.pulse_paisa) over (partition by c.id order by l.level) as paisa
          from past_call c join campaign_level l on l.campaign_id = c.campaign_id where c.cost_paisa > 0
        union all
        select m.batch_id, m.settled_at, l.payer_id, l.payee_id, null, m.campaign_id, l.level, 'sms',
               min(m.accepted * l.segment_paisa) over (partition by m.id order by l.level)
          from past_message m join sms_campaign_level l on l.campaign_id = m.campaign_id where m.cost_paisa > 0
      ) priced
     where paisa > 0 group by batch_id, payer_id, payee_id, campaign_id, sms_campaign_id, level, kind`.execute(tx)
}

/** One line an account, campaign and day, and one on either side of a recharge. */
async function stageEntries(tx: Tx, recharges: readonly PastRecharge[]): Promise<void> {
  await sql`
    create temp table past_entry on commit drop as
    with owed as (
      select batch_id, at, payer_id as account_id, campaign_id, sms_campaign_id, -paisa as paisa,
             (case level when 0 then 'campaign_deduction' else 'campaign_margin' end)::credit_action as action from past_level
      union all select batch_id, at, payee_id, campaign_id, sms_campaign_id, paisa, 'campaign_margin' from past_level
    ), summed as (
      select max(at) as at, account_id, action, campaign_id, sms_campaign_id, sum(paisa)::bigint as paisa
        from owed group by batch_id, account_id, action, campaign_id, sms_campaign_id having sum(paisa) <> 0
    ), credited as (
      select r.* from json_to_recordset(${JSON.stringify(recharges)}::json)
        as r (at timestamptz, payer_id int, payee_id int, paisa bigint, by_user_id int, payment_mode text, reference text)
    )
    select row_number() over (order by at, account_id, action) as no, t.* from (
      select at, account_id, action, null::int as other_id, campaign_id, sms_campaign_id, nepal_day(at) as day, paisa, null::int as by_user_id,
             null::text as reference, null::text as payment_mode from summed
      union all select at, payer_id, 'credit_add', payee_id, null, null, null, -paisa, by_user_id, reference, payment_mode from credited
      union all select at, payee_id, 'credit_add', payer_id, null, null, null, paisa, by_user_id, reference, payment_mode from credited
    ) t`.execute(tx)
}
