import { storedKeyLabels } from '@ghanti/contract/key-labels.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { Client } from 'pg'
import type { Disposition, RowState } from '../../db/tables.ts'

const batchRows = 5000

export type RowsHead = { columns: string[]; keyLabels: KeyLabels; cli: string }
export async function rowsHead(client: Client, campaignId: number): Promise<RowsHead | undefined> {
  const { rows } = await client.query<RowsHead>(
    `select array_remove(b.columns, 'mobile') as columns, d.composed -> 'keyLabels' as "keyLabels", l.number as cli
       from campaign c join campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id join cli l on l.id = c.cli_id where c.id = $1`,
    [campaignId],
  )
  return rows[0] && { ...rows[0], keyLabels: storedKeyLabels(rows[0].keyLabels) }
}

/** A campaign's row, with the sum of its calls and the last of them. Those fields are null before the first call. */
export type EndedRow = {
  line: number
  phone: number
  values: Record<string, string> | null
  state: RowState
  disposition: Disposition | null
  calls: number
  pulses: number
  costPaisa: number
  keys: string | null
  startedAt: Date | null
  answeredAt: Date | null
  endedAt: Date | null
  billMs: number | null
  agent: string | null
  /** The caller ID that the last call showed. Null: no call, or the campaign's. */
  cli: string | null
}

/** Every row in the order of preparation, read by a cursor. `client` must be in a transaction, so that all rows are of the same moment. */
export async function* endedRows(client: Client, campaignId: number): AsyncGenerator<EndedRow[]> {
  // As in reports: for a campaign newer than the statistics the planner expects one row and nests loops, which takes n² time.
  await client.query('set local enable_nestloop = off')
  const id = Math.trunc(campaignId)
  await client.query(
    `declare ended_row no scroll cursor for
      select r.line, r.phone, v.vars as values, r.state, r.disposition, coalesce(s.calls, 0)::int as calls, coalesce(s.pulses, 0)::int as pulses,
             coalesce(s.cost, 0)::bigint as "costPaisa", a.keys, a.started_at as "startedAt", a.answered_at as "answeredAt", a.ended_at as "endedAt",
             a.bill_ms as "billMs", a.agent, i.number as cli
        from campaign_contact r
        left join contact_value v on v.campaign_id = ${id} and v.no = r.no
        left join (select no, count(*) as calls, sum(pulses) as pulses, sum(cost_paisa) as cost, max(id) as last from attempt
                    where campaign_id = ${id} and coalesce(kind, 'campaign') = 'campaign' group by no) s on s.no = r.no
        left join attempt a on a.campaign_id = ${id} and a.id = s.last left join cli i on i.id = a.cli_id
       where r.campaign_id = ${id} order by r.no`,
  )
  for (;;) {
    const { rows } = await client.query<EndedRow>(`fetch ${batchRows} from ended_row`)
    if (rows.length === 0) break
    yield rows
  }
  await client.query('close ended_row')
}
