import { escapeLiteral, type Client } from 'pg'
import type { RowChoice } from './rules.ts'

const batchRows = 5000

export type ChosenRow = { phone: number; values: Record<string, string> | null }

/** The columns of the campaign's file, the number first; undefined when the campaign no longer exists. */
export async function columnsOf(client: Client, campaignId: number): Promise<string[] | undefined> {
  const { rows } = await client.query<{ columns: string[] }>(
    `select b.columns from campaign_detail d join base b on b.id = d.base_id where d.campaign_id = $1`,
    [campaignId],
  )
  return rows[0]?.columns
}

/** Literals, because a cursor takes no parameters. */
function conditionsOf(campaignId: number, { dispositions, keys, maxSeconds, notInCampaignId }: RowChoice): string[] {
  const answered = [
    ...(keys ? [`a.keys like any (array[${keys.map((key) => escapeLiteral(`%${key}%`)).join(', ')}])`] : []),
    ...(maxSeconds === undefined ? [] : [`a.bill_ms < ${Math.trunc(maxSeconds) * 1000}`]),
  ]
  const end = `case r.state when 'dnd' then 'DND' when 'done' then coalesce(r.disposition::text, 'EXPIRED') else 'EXPIRED' end`
  return [
    `r.campaign_id = ${campaignId}`,
    ...(dispositions ? [`${end} in (${dispositions.map((one) => escapeLiteral(one)).join(', ')})`] : []),
    ...(answered.length > 0
      ? [
          `exists (select from attempt a where a.campaign_id = ${campaignId} and a.no = r.no and a.disposition = 'ANSWER'
                   and coalesce(a.kind, 'campaign') = 'campaign' and ${answered.join(' and ')})`,
        ]
      : []),
    ...(notInCampaignId === undefined
      ? []
      : [
          `not exists (select from campaign_contact o where o.campaign_id = ${Math.trunc(notInCampaignId)} and o.phone = r.phone)`,
        ]),
  ]
}

/** The chosen rows from a cursor, each number's in the order of the file. `client` is inside a transaction. */
export async function* chosenRows(client: Client, campaignId: number, choice: RowChoice): AsyncGenerator<ChosenRow[]> {
  // For a campaign newer than the statistics the planner expects one row, and its nested loop over the calls would be quadratic.
  await client.query('set local enable_nestloop = off')
  await client.query(
    `declare chosen_row no scroll cursor for
      select r.phone, v.vars as values from campaign_contact r
        left join contact_value v on v.campaign_id = ${Math.trunc(campaignId)} and v.no = r.no
       where ${conditionsOf(Math.trunc(campaignId), choice).join(' and ')} order by r.no`,
  )
  for (;;) {
    const { rows } = await client.query<ChosenRow>(`fetch ${batchRows} from chosen_row`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close chosen_row')
}
