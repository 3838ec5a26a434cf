import type { Flow } from '@ghanti/callflow/flow.ts'
import type { Fixtures } from './fixtures.ts'
import { newCampaign, newFixtures } from './fixtures.ts'
import type { Dialling } from './engine.ts'
import { newRoute } from './routes.ts'

const price = { pulseMs: 600_000, pulsePaisa: 1 }
/** No call is cut because the machine is slow. */
export const longPulses = [price, price, price]

/** A campaign in 'processing', on a line of its own; each of its ten rows says another date. By operator: every second row is Ncell's. */
export async function tenDates(
  at: Dialling,
  of: { rePrompts?: number; startAt?: Date; byOperator?: boolean } = {},
): Promise<{ id: number; fixtures: Fixtures; flow: Flow }> {
  const fixtures = await newFixtures(at, { cps: 100, channels: 50 })
  const { user } = fixtures
  const { rePrompts = 2, startAt = new Date(), byOperator = false } = of
  const { trunkId } = fixtures.line
  if (byOperator) await newRoute(at, fixtures, [{ trunkId, priority: 1, weight: 1, operators: [0, 1, 2, 3] }])
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' }, rePrompts })
  const more = { prices: longPulses, reservePaisa: 1, phones: [], startAt }
  const id = await newCampaign(at, { user, line: fixtures.line, status: 'processing', flow, ...more })
  const file = Array.from(
    { length: 10 },
    (_, n) => `${byOperator && n % 2 ? 980 : 985}100${n}000,2026-11-1${n}\n`,
  ).join('')
  await at.db
    .updateTable('base')
    .set({ file_hash: await at.files.putBytes(Buffer.from(file)) })
    .where('id', '=', (eb) => eb.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  return { id, fixtures, flow }
}
