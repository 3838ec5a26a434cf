import { Flow } from '@ghanti/callflow/flow.ts'
import { operatorCode, operatorOf, operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import type { Db } from '../../db/db.ts'
import type { Called } from './calls.ts'
import type { Texted } from './messages.ts'

/** Prepared campaigns with their rows, by id. */
export async function loadCalled(db: Db, ids: readonly number[]): Promise<Map<number, Called>> {
  const campaigns = await db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('campaign_level as l', (on) => on.onRef('l.campaign_id', '=', 'c.id').on('l.level', '=', 0))
    .select(['c.id', 'c.account_id', 'c.cli_id', 'c.trunk_id', 'c.start_at', 'c.retries', 'c.retry_ms'])
    .select(['d.flow', 'l.pulse_ms', 'l.pulse_paisa'])
    .where('c.id', 'in', ids)
    .execute()
  const rows = await db
    .selectFrom('campaign_contact')
    .select(['campaign_id', 'no', 'phone'])
    .where('campaign_id', 'in', ids)
    .orderBy('campaign_id')
    .orderBy('no')
    .execute()
  const numbered = rows.map((row) => ({
    ...row,
    operator: operatorCode[operatorOf(row.phone, operatorPrefixesDefault)],
  }))
  const ofCampaign = Map.groupBy(numbered, (row) => row.campaign_id)
  return new Map(
    campaigns.map((of) => [
      of.id,
      {
        id: of.id,
        accountId: of.account_id,
        cliId: of.cli_id,
        trunkId: of.trunk_id,
        flow: Flow.parse(of.flow),
        startAt: of.start_at,
        retries: of.retries,
        retryMs: of.retry_ms,
        pulseMs: of.pulse_ms,
        pulsePaisa: of.pulse_paisa,
        rows: ofCampaign.get(of.id) ?? [],
      },
    ]),
  )
}

export async function loadTexted(db: Db, ids: readonly number[]): Promise<Texted[]> {
  const campaigns = await db
    .selectFrom('sms_campaign')
    .select(['id', 'account_id as accountId', 'price_paisa as pricePaisa', 'start_at as startAt'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  const rows = await db
    .selectFrom('sms_message')
    .select(['campaign_id', 'no', 'phone', 'operator', 'segments'])
    .where('campaign_id', 'in', ids)
    .where('state', '=', 'fresh')
    .orderBy('campaign_id')
    .orderBy('no')
    .execute()
  const ofCampaign = Map.groupBy(rows, (row) => row.campaign_id)
  return campaigns.map((of) => ({ ...of, rows: ofCampaign.get(of.id) ?? [] }))
}
