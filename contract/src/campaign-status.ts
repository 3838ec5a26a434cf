import type { Role } from './roles.ts'

/** Wire codes, specification 1 §4. On screen 4 and 5 both read 'Error'; 22 is labelled 'On Hold' (docs/api.md#campaign-statuses). */
export const campaignStatusCode = {
  ready: 0,
  running: 1,
  complete: 2,
  lowBalance: 3,
  refused: 4,
  failed: 5,
  cancelling: 6,
  cancelled: 7,
  pausing: 8,
  paused: 9,
  resuming: 10,
  processing: 21,
  onHold: 22,
} as const

export type CampaignStatus = keyof typeof campaignStatusCode
export const campaignStatuses = Object.keys(campaignStatusCode) as CampaignStatus[]

const statusOfCode = new Map<number, CampaignStatus>(
  campaignStatuses.map((status) => [campaignStatusCode[status], status]),
)

export function campaignStatusOf(code: number): CampaignStatus | undefined {
  return statusOfCode.get(code)
}

export const campaignStatusLabel: Record<CampaignStatus, string> = {
  ready: 'Ready',
  processing: 'Processing',
  running: 'Running',
  complete: 'Complete',
  lowBalance: 'Low Balance',
  refused: 'Error',
  failed: 'Error',
  cancelling: 'Cancelling',
  cancelled: 'Cancelled',
  pausing: 'Pausing',
  paused: 'Paused',
  resuming: 'Resuming',
  onHold: 'On Hold',
}

/** The one transition table (docs/design.md#statuses). `user`: a person's action makes the transition; the engine makes all others. */
export const campaignTransitions: Record<CampaignStatus, readonly CampaignStatus[]> = {
  processing: ['ready', 'refused', 'complete', 'cancelling', 'onHold'],
  ready: ['running', 'pausing', 'cancelling', 'onHold', 'failed', 'refused', 'complete'],
  running: ['complete', 'pausing', 'cancelling', 'lowBalance', 'onHold', 'failed'],
  pausing: ['paused', 'resuming', 'cancelling', 'onHold', 'complete'],
  paused: ['resuming', 'cancelling', 'onHold', 'complete'],
  resuming: ['running', 'ready', 'processing', 'cancelling', 'onHold', 'complete'],
  cancelling: ['cancelled'],
  lowBalance: ['onHold', 'cancelling', 'complete'],
  onHold: ['resuming', 'running', 'pausing', 'onHold', 'cancelling', 'complete'],
  complete: ['running'],
  cancelled: [],
  refused: [],
  failed: [],
}

/** From which statuses each action of a person is accepted, and where it leads. */
export const campaignActions = {
  /** The owner's. */
  pause: { from: ['ready', 'running'], to: 'pausing' },
  /** A hold by an account above. Not for campaigns that this administrator or an account above holds already. */
  hold: { from: ['ready', 'running', 'lowBalance', 'pausing', 'paused', 'resuming', 'onHold'], to: 'onHold' },
  stop: {
    from: ['processing', 'ready', 'running', 'lowBalance', 'pausing', 'paused', 'resuming', 'onHold'],
    to: 'cancelling',
  },
  resume: { from: ['pausing', 'paused', 'onHold'], to: 'resuming' },
  /** Also needs isRetry 0. */
  retry: { from: ['complete'], to: 'running' },
} as const satisfies Record<string, { from: readonly CampaignStatus[]; to: CampaignStatus }>
export type CampaignAction = keyof typeof campaignActions

/** What a role does to a campaign when it asks for this: an account above does not pause, it holds. */
export function actionOfRole(asked: 'pause' | 'resume' | 'stop', role: Role): CampaignAction {
  return asked === 'pause' && role !== 'user' ? 'hold' : asked
}

export function canDo(action: CampaignAction, status: CampaignStatus): boolean {
  return (campaignActions[action].from as readonly CampaignStatus[]).includes(status)
}

/** Nothing has been called yet, so the owner may still change when and how the campaign calls. */
export const editableStatuses = ['processing', 'ready'] as const satisfies readonly CampaignStatus[]

/** Nothing more happens unless somebody retries. */
export const finishedStatuses = [
  'complete',
  'cancelled',
  'refused',
  'failed',
] as const satisfies readonly CampaignStatus[]

export const dispositions = [
  'ANSWER',
  'NO ANSWER',
  'BUSY',
  'CONGESTION',
  'FAILED',
  'CANCEL',
  'INVALID',
  'REJECTED',
  'LOST',
] as const
export type Disposition = (typeof dispositions)[number]

/**
 * Why a campaign that has begun makes no calls or sends no messages until something changes: the engines' causes of 'On Hold', and the
 * status Low Balance (docs/design.md#hold-causes).
 */
export const holdCauses = [
  'hours',
  'dialer',
  'trunk',
  'prompts',
  'refusals',
  'disabled',
  'expired',
  'balance',
  'administrator',
  'lowBalance',
] as const
export type HoldCause = (typeof holdCauses)[number]
