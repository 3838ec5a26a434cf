import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { HoldCause } from '../../db/tables.ts'

/** Statuses from which a campaign dials without anybody's action, as do holds for these causes, which end by themselves. */
export const goesOnFrom: readonly CampaignStatus[] = ['processing', 'ready', 'running', 'resuming']
export const passingCauses: readonly HoldCause[] = ['hours', 'trunk', 'dialer', 'prompts', 'refusals', 'disabled']

export function promptsDeleted(names: readonly string[]): string {
  const files = names.map((name) => `'${name}'`).join(', ')
  return names.length === 1
    ? `plays the voice file ${files}, which is deleted`
    : `plays the voice files ${files}, which are deleted`
}

export function withCallsUp(reason: string, calls: number): string {
  if (calls === 0) return reason
  return `${reason} (${calls} ${calls === 1 ? 'call is' : 'calls are'} still up)`
}
