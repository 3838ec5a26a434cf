import { storedKeyLabels } from '@ghanti/contract/key-labels.ts'
import type { Client } from 'pg'
import { textsOfRow } from '../sms-campaigns/rules.ts'
import type { ReportHead, ReportRow, ReportType } from './rules.ts'

const batchRows = 2000

export async function reportHead(client: Client, campaignId: number): Promise<ReportHead | undefined> {
  const { rows } = await client.query<ReportHead>(
    `select d.name, array_remove(b.columns, 'mobile') as columns, l.number as cli,
            case when jsonb_array_length(d.flow -> 'menus') > 1 then jsonb_path_query_array(d.flow, '$.menus[*].name') else '[]' end as menus,
            d.composed -> 'keyLabels' as "keyLabels",
            exists (select from after_call_option o where o.campaign_id = c.id) or exists (select from call_text t where t.campaign_id = c.id) as "hasSms"
       from campaign c join campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id join cli l on l.id = c.cli_id
      where c.id = $1`,
    [campaignId],
  )
  return rows[0] && { ...rows[0], keyLabels: storedKeyLabels(rows[0].keyLabels) }
}

const hasKey = { cc: '', dtmf: `and a.keys <> ''` } as const satisfies Record<ReportType, string>

/**
 * One type's lines in the order of the file, from a cursor. `client` is inside a transaction. Rows are not called again after an answer, so
 * each has one answered attempt.
 */
export async function* reportRows(client: Client, campaignId: number, type: ReportType): AsyncGenerator<ReportRow[]> {
  // For a campaign newer than the statistics the planner expects one row, and its nested loops would be quadratic. Without them, PostgreSQL
  // uses an index only for values known beforehand.
  await client.query('set local enable_nestloop = off')
  await client.query(
    `declare report_row no scroll cursor for
      select r.line, r.phone, v.vars as values, a.disposition, a.keys, a.trail, a.started_at as "startedAt", a.answered_at as "answeredAt",
             a.ended_at as "endedAt", a.bill_ms as "billMs", a.pulses, a.cost_paisa as "costPaisa", a.agent, a.agent_missed as "agentMissed", i.number as cli, s.sms
        from attempt a left join cli i on i.id = a.cli_id join campaign_contact r on r.campaign_id = a.campaign_id and r.no = a.no
        left join contact_value v on v.campaign_id = a.campaign_id and v.no = a.no
        left join (
          select no, string_agg(occasion || ': ' || state || coalesce(', ' || reason, ''), '; ' order by occasion) as sms
            from (
              select no, occasion::text, state::text, reason from after_call_message where campaign_id = ${Math.trunc(campaignId)}
              union all
              select m.no / ${textsOfRow}, t.occasion::text || coalesce(' ' || t.key, ''), after_call_state(m.state), m.reason
                from sms_message m join call_text t on t.no = m.no % ${textsOfRow}
               where m.campaign_id = (select id from sms_campaign where call_campaign_id = ${Math.trunc(campaignId)})
                 and t.campaign_id = ${Math.trunc(campaignId)}
              union all
              select b.no, t.occasion::text || coalesce(' ' || t.key, ''), 'withheld', w.withheld[t.no + 1]
                from call_text_row w join call_text t on w.withheld[t.no + 1] is not null join attempt b on b.no = w.no
               where w.campaign_id = ${Math.trunc(campaignId)} and w.withheld is not null and t.campaign_id = ${Math.trunc(campaignId)}
                 and b.campaign_id = ${Math.trunc(campaignId)} and b.disposition = 'ANSWER'
                 and case t.occasion when 'success' then b.bill_ms >= t.min_ms when 'dtmf' then left(b.keys, 1) = t.key else false end) e group by no) s on s.no = a.no
       where a.campaign_id = ${Math.trunc(campaignId)} and a.disposition = 'ANSWER' ${hasKey[type]} order by r.line`,
  )
  for (;;) {
    const { rows } = await client.query<ReportRow>(`fetch ${batchRows} from report_row`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close report_row')
}
