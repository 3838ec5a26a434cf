import type { Flow } from '@ghanti/callflow/flow.ts'
import type { World } from './fixtures.ts'
import { newCampaign, newWorld } from './fixtures.ts'
import type { Dialling } from './engine.ts'

const price = { pulseMs: 600_000, pulsePaisa: 1 }
/** No call is cut because the machine is slow. */
export const longPulses = [price, price, price]

/** A campaign in 'processing', on a line of its own; each of its ten rows says another date. */
export async function tenDates(
  at: Dialling,
  of: { rePrompts?: number; startAt?: Date } = {},
): Promise<{ id: number; world: World; flow: Flow }> {
  const world = await newWorld(at, { cps: 100, channels: 50 })
  const { user } = world
  const { rePrompts = 2, startAt = new Date() } = of
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' }, rePrompts })
  const more = { prices: longPulses, reservePaisa: 1, phones: [], startAt }
  const id = await newCampaign(at, { user, line: world.line, status: 'processing', flow, ...more })
  const file = Array.from({ length: 10 }, (_, n) => `985100${n}000,2026-11-1${n}\n`).join('')
  await at.db
    .updateTable('base')
    .set({ file_hash: await at.files.putBytes(Buffer.from(file)) })
    .where('id', '=', (eb) => eb.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  return { id, world, flow }
}
