import { campaignTransitions } from '@ghanti/contract/campaign-status.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { expect } from 'vitest'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { assist, decide, type DecisionContext } from '../scheduler/decide/decide.ts'
import { newDialerRow } from './rows.ts'
import { healthy } from '../dialer/trunks/state/circuit-breaker.ts'
import type { OtherDialer } from '../model/campaigns/sharing.ts'
import type { CampaignRow } from '../model/campaigns/snapshot.sql.ts'

export const at = (text: string): Date => instantOfNepalTime(`2026-11-20 ${text}`) ?? new Date(Number.NaN)
export const noon = at('12:00:00')
export const campaign: CampaignRow = {
  id: 1,
  dialer_id: 1,
  leads: true,
  is_shared: false,
  spans: false,
  others: null,
  said: null,
  account_id: 7,
  trunk_id: 1,
  route: null,
  cli_id: 1,
  cli: '015970001',
  cli_channels: 30,
  members: null,
  status: 'running',
  hold_cause: null,
  reason: null,
  due: true,
  prepared: true,
  over: false,
  not_after: false,
  channels: 30,
  reserve_paisa: 1600,
  retries: 2,
  retry_ms: 600_000,
  is_retry: false,
  retry_requested: false,
  end_now: false,
  is_test: false,
  is_call_now: false,
  fresh_left: 100,
  fresh: 100,
  in_call: 0,
  waiting: 0,
  attempts: 0,
  next_due_at: null,
  next_due_us: null,
  next_due_no: null,
  retry_due: false,
  next_put_off: null,
  counting: false,
  free_paisa: 100_000,
  sweepable_paisa: 0,
  unsettled: 0,
  free_channels: 100,
  expired: false,
  stopped_by: null,
  disabled_reason: null,
  frozen: null,
  ends_calls: false,
  payer_ids: [7, 5],
  streams: null,
}
/** Another dialer of a route, which carries calls. */
export const newOtherDialer = (of: Partial<OtherDialer>): OtherDialer => ({
  name: 'PKR',
  leads: false,
  carries: true,
  unreported: false,
  cause: null,
  reason: null,
  streams: null,
  yielded: null,
  steps: [],
  ...of,
})
export const trunk = { id: 1, name: 'NT-1', health: healthy, isSet: true, fault: null }
const context: DecisionContext = {
  now: noon,
  dialer: newDialerRow({ id: 3, name: 'KTM' }),
  dialerDown: null,
  trunk,
  faultByOperator: null,
  faultsHere: null,
  hours: defaultCallingHours,
  blocks: [],
  prompts: 'ready' as const,
  preparing: false,
  refused: null,
  queueWait: null,
}
export const opened = {
  ...healthy,
  opened: { since: 0, reason: 'SIP 401', refusing: false, probes: 0, nextProbeAt: at('12:00:30').getTime() },
}
export const block = (kind: string, target_id: number | null) => ({
  blocks: [{ kind, target_id, reason: 'complaints' }],
})

export type Case = { why: string; is: string; context?: Partial<DecisionContext> } & Partial<CampaignRow>
/** The case is a running campaign at noon where it says nothing else. */
export function expectDecision({ why, is, context: more = {}, ...rest }: Case): void {
  expect(why).toBeTruthy()
  const row = { ...campaign, ...rest }
  const decision = (row.leads ? decide : assist)(row, { ...context, ...more })
  const said = (head: string, reason: string | null | undefined) => (reason ? `${head}: ${reason}` : head)
  switch (decision.do) {
    case 'move':
      expect(campaignTransitions[row.status]).toContain(decision.to)
      return expect(said([decision.to, decision.holdCause].filter(Boolean).join(' '), decision.reason)).toBe(is)
    case 'wait':
      return expect(said('wait', decision.reason)).toBe(is)
    case 'dial':
      return expect(`dial ${decision.wanted}`).toBe(is)
    case 'hangUp':
      return expect(decision.answered ? 'hangUp answered' : 'hangUp').toBe(is)
    default:
      return expect(decision.do).toBe(is)
  }
}
