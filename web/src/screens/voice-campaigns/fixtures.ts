import { campaignStatusCode, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { CampaignDetail } from './page/detail.ts'

/** A campaign of 9,980 numbers in the middle of its first retries. */
export function campaign(status: CampaignStatus, changes: Partial<CampaignRow> = {}): CampaignRow {
  return {
    campaignId: 12,
    campaignName: 'Dashain Offer',
    username: 'sunita.k',
    templateId: 1,
    campaignStatus: campaignStatusCode[status],
    scheduleTime: '2026-11-20 09:00:00',
    numbersUploaded: 10_000,
    numbersProcessed: 2_980,
    callsConnected: 2_500,
    pulses: 5_100,
    dndCount: 20,
    dtmfCount: 900,
    reportReason: null,
    isRetry: 0,
    reason: null,
    pending: { fresh: 0, inCall: 24, waiting: 6_976, retry: 2, retries: 3, nextDue: '2026-11-20 14:32:10' },
    attempts: 14_000,
    cost: 2_550,
    cli: '015970001',
    outcomes: { ANSWER: 2_500, 'NO ANSWER': 9_000, BUSY: 2_020, INVALID: 480 },
    ...changes,
  }
}

export function detailOf(changes: Partial<CampaignDetail> = {}): CampaignDetail {
  return {
    ...campaign('running'),
    userId: 3,
    frozen: null,
    putOff: { numberBusy: 0, calledToday: 0 },
    byOperator: null,
    archivedCalls: null,
    rowsInFile: 10_000,
    invalid: 0,
    duplicate: 0,
    refusedKept: 0,
    retriesMax: 2,
    retryIntervalMinutes: 10,
    channels: 30,
    oneCallAtMost: 1,
    dialUntil: '2026-11-27 09:00:00',
    notAfter: false,
    composedAt: '2026-11-20 08:59:00',
    composed: {},
    prompts: [],
    sms: [],
    smsTexts: null,
    history: [],
    ...changes,
  }
}
