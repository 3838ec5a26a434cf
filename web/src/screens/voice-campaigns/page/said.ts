import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import type { TextsOf } from '../../../i18n/areas.ts'
import type { Format } from '../../../i18n/format.ts'
import { composedFields, type CampaignDetail } from './detail.ts'

/** '44 of 53 answered, 21 pressed a key, Rs 39.60': what came of it, without keys where it asks for none. */
export function saidOf(
  detail: CampaignDetail,
  { said: t }: Pick<TextsOf<'campaignDetail'>, 'said'>,
  { count, rupees }: Pick<Format, 'count' | 'rupees'>,
): string {
  const { numbersUploaded, callsConnected, dtmfCount, attempts, cost } = detail
  if (campaignStatusOf(detail.campaignStatus) === 'processing') return t.reading
  if (attempts === 0) return t.fresh(count(numbersUploaded))
  const parts = [
    t.answered(count(callsConnected), count(numbersUploaded)),
    ...(asksForKeys(detail) ? [t.pressed(count(dtmfCount))] : []),
    t.cost(rupees(cost)),
  ]
  return parts.join(', ')
}

function asksForKeys({ dtmfCount, composed }: CampaignDetail): boolean {
  const { dtmf, prompts, agentRows } = composedFields(composed)
  return dtmfCount > 0 || Boolean(dtmf) || prompts.menus.length > 0 || agentRows.length > 0
}
