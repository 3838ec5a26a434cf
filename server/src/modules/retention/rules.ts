import { campaignStatusLabel, finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'

/** Campaigns of calls or of messages. */
export type Kind = 'calls' | 'messages'

/** What lines of the audit log call campaigns of the kind. */
export const auditOf = {
  calls: { action: 'campaign', target: 'campaign' },
  messages: { action: 'sms', target: 'sms campaign' },
} as const

const isOver = (status: CampaignStatus): boolean => finishedStatuses.some((finished) => finished === status)

/** Why a campaign with this status cannot be archived or deleted, in words that read on after its name; null: it can. */
export function notOver(status: CampaignStatus, what: 'archived' | 'deleted'): string | null {
  if (isOver(status)) return null
  const over = [...new Set(finishedStatuses.map((finished) => campaignStatusLabel[finished]))].join(', ')
  return `is ${campaignStatusLabel[status]}, only ${over} can be ${what}`
}

/** A call flow without the telephone numbers of agents and customers. */
export function withoutNumbers(flow: unknown): unknown {
  const numbers = new Set(['number', 'agent', 'customer'])
  const isNumber = (key: string, value: unknown) => numbers.has(key) && typeof value === 'string'
  return JSON.parse(JSON.stringify(flow ?? {}, (key, value: unknown) => (isNumber(key, value) ? '' : value)))
}
