import type { Flow } from '@ghanti/callflow/flow.ts'
import type { Fixtures } from './fixtures.ts'
import { newCampaign, newFixtures } from './fixtures.ts'
import type { Dialling } from './engine.ts'

const price = { pulseMs: 600_000, pulsePaisa: 1 }
/** No call is cut because the machine is slow. */
export const longPulses = [price, price, price]

/** A campaign in 'processing', on a line of its own; each of its ten rows says another date. */
export async function tenDates(
  at: Dialling,
  of: { rePrompts?: number; startAt?: Date } = {},
): Promise<{ id: number; fixtures: Fixtures; flow: Flow }> {
  const fixtures = await newFixtures(at, { cps: 100, channels: 50 })
  const { user } = fixtures
  const { rePrompts = 2, startAt = new Date() } = of
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' }, rePrompts })
  const more = { prices: longPulses, reservePaisa: 1, phones: [], startAt }
  const id = await newCampaign(at, { user, line: fixtures.line, status: 'processing', flow, ...more })
  const file = Array.from({ length: 10 }, (_, n) => `985100${n}000,2026-11-1${n}\n`).join('')
  await at.db
    .updateTable('base')
    .set({ file_hash: await at.files.putBytes(Buffer.from(file)) })
    .where('id', '=', (eb) => eb.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  return { id, fixtures, flow }
}
