import { campaignStatusLabel, finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'

export type Kind = 'calls' | 'messages'

export const auditOf = {
  calls: { action: 'campaign', target: 'campaign' },
  messages: { action: 'sms', target: 'sms campaign' },
} as const

const isOver = (status: CampaignStatus): boolean => finishedStatuses.some((finished) => finished === status)

/** Why a campaign with this status cannot be archived or deleted, continuing a sentence after its name; null when it can. */
export function notOver(status: CampaignStatus, what: 'archived' | 'deleted'): string | null {
  if (isOver(status)) return null
  const over = [...new Set(finishedStatuses.map((finished) => campaignStatusLabel[finished]))].join(', ')
  return `is ${campaignStatusLabel[status]}, only ${over} can be ${what}`
}

export function withoutNumbers(flow: unknown): unknown {
  const numbers = new Set(['number', 'agent', 'customer'])
  const isNumber = (key: string, value: unknown) => numbers.has(key) && typeof value === 'string'
  return JSON.parse(JSON.stringify(flow ?? {}, (key, value: unknown) => (isNumber(key, value) ? '' : value)))
}

/** Why an export has no file after a campaign was deleted. Each continues the sentence 'The export …'. */
export const exportGone = {
  unmade: 'was not made: its campaign was deleted meanwhile',
  made: 'is gone: its campaign was deleted',
  ofMany: 'held calls of a campaign that was deleted, so its file is gone too: ask for it again',
}
