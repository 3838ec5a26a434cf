import { campaignTransitions } from '@ghanti/contract/campaign-status.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { expect, test } from 'vitest'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import { decide, type Surroundings } from './decide.ts'
import { newDialerRow } from './testing-rows.ts'
import { healthy } from './trunk-faults.ts'
import type { CampaignRow } from './world.sql.ts'

const at = (text: string): Date => instantOfNepalTime(`2026-11-20 ${text}`) ?? new Date(Number.NaN)
const noon = at('12:00:00')
const campaign: CampaignRow = {
  id: 1,
  account_id: 7,
  trunk_id: 1,
  cli_id: 1,
  cli: '015970001',
  cli_channels: 30,
  status: 'running',
  hold_cause: null,
  reason: null,
  due: true,
  prepared: true,
  over: false,
  channels: 30,
  reserve_paisa: 1600,
  retries: 2,
  retry_ms: 600_000,
  is_retry: false,
  retry_requested: false,
  end_now: false,
  is_test: false,
  fresh_left: 100,
  fresh: 100,
  in_call: 0,
  waiting: 0,
  attempts: 0,
  next_due_at: null,
  next_due_us: null,
  next_due_no: null,
  retry_due: false,
  free_paisa: 100_000,
  sweepable_paisa: 0,
  unsettled: 0,
  free_channels: 100,
  expired: false,
  disabled: false,
  disabled_reason: null,
  payer_ids: [7, 5],
}
const trunk = { id: 1, name: 'NT-1', health: healthy, isSet: true, fault: null }
const around: Surroundings = {
  now: noon,
  dialer: newDialerRow({ id: 3, name: 'KTM' }),
  dialerDown: null,
  trunk,
  hours: defaultCallingHours,
  blocks: [],
  prompts: 'there' as const,
  preparing: false,
}
const held = {
  ...healthy,
  held: { since: 0, reason: 'SIP 401', refusing: false, probes: 0, nextProbeAt: at('12:00:30').getTime() },
}
const block = (kind: string, target_id: number | null) => ({ blocks: [{ kind, target_id, reason: 'complaints' }] })

type Case = { why: string; is: string; around?: Partial<Surroundings> } & Partial<CampaignRow>
const faulty = { prompt: 'Dashain', reason: 'its file is not there', retryAt: at('12:01:00') }
const faultText =
  'prompt Dashain cannot be played on dialer KTM: its file is not there; it will be tried again at 12:01'
const cases: Case[] = [
  { why: 'a new campaign is prepared', status: 'processing', is: 'prepare' },
  { why: 'once', status: 'processing', around: { preparing: true }, is: 'wait' },
  {
    why: 'the dialer takes no prompts yet',
    status: 'processing',
    around: { dialerDown: { reason: 'no route', long: true } },
    is: 'wait: dialer KTM does not answer: no route',
  },
  {
    why: 'its prompts are not on the dialer yet',
    status: 'processing',
    around: { prompts: 'coming' },
    is: 'wait: its prompts are being brought to the dialer',
  },
  {
    why: 'one cannot be played',
    status: 'processing',
    around: { prompts: faulty },
    is: `onHold prompts: ${faultText}`,
  },
  {
    why: 'one cannot be played any more',
    status: 'ready',
    around: { prompts: faulty },
    is: `onHold prompts: ${faultText}`,
  },
  { why: 'the dialer began anew and lacks one', around: { prompts: faulty }, is: `onHold prompts: ${faultText}` },
  {
    why: 'the dialer began anew',
    around: { prompts: 'coming' },
    is: 'wait: its prompts are being brought to the dialer',
  },
  {
    why: 'it still cannot be played',
    status: 'onHold',
    hold_cause: 'prompts',
    around: { prompts: faulty },
    is: `wait: ${faultText}`,
  },
  { why: 'it can be played now', status: 'onHold', hold_cause: 'prompts', is: 'running' },
  {
    why: 'it can be played now, and its rows were never read',
    status: 'onHold',
    hold_cause: 'prompts',
    prepared: false,
    is: 'resuming',
  },
  { why: 'its time has come', status: 'ready', is: 'start' },
  {
    why: 'its time came at night',
    status: 'ready',
    around: { now: at('23:00:00') },
    is: 'wait: outside calling hours, dials from 2026-11-21 07:00',
  },
  {
    why: 'its time came early',
    status: 'ready',
    around: { now: at('05:00:00') },
    is: 'wait: outside calling hours, dials from 07:00',
  },
  {
    why: 'the owner has expired before it began',
    status: 'ready',
    expired: true,
    is: 'onHold expired: the account has expired',
  },
  {
    why: 'all dialling is stopped before it began',
    status: 'ready',
    around: block('platform', null),
    is: 'wait: all dialling of the platform is stopped by the administrator: complaints',
  },
  {
    why: 'its trunk is held: it runs, so that it can be held and try it',
    status: 'ready',
    around: { trunk: { ...trunk, health: held } },
    is: 'start',
  },
  { why: 'it dials', is: 'dial 30' },
  { why: 'up to its channels', in_call: 25, is: 'dial 5' },
  { why: 'up to those of the account or whoever is above', free_channels: 3, is: 'dial 3' },
  {
    why: 'the reseller’s channels are taken by others',
    free_channels: 0,
    is: 'wait: all channels of the account are busy',
  },
  { why: 'nothing is worth saying while all its channels talk', in_call: 30, is: 'wait' },
  { why: 'all rows are final', fresh: 0, fresh_left: 0, is: 'complete' },
  { why: 'its last calls are up', fresh: 0, fresh_left: 0, in_call: 2, is: 'wait' },
  {
    why: 'only retries are left',
    fresh: 0,
    fresh_left: 0,
    waiting: 9,
    next_due_at: at('14:32:00'),
    is: 'wait: next retry 14:32',
  },
  { why: 'a retry is due', fresh: 0, fresh_left: 0, waiting: 9, next_due_at: noon, retry_due: true, is: 'dial 30' },
  { why: 'calls hold the money', free_paisa: 1599, unsettled: 12, is: 'wait: waiting for 12 calls to settle' },
  { why: 'earnings can pay', free_paisa: 1040, sweepable_paisa: 900, is: 'sweep' },
  { why: 'no money', free_paisa: 1040, is: 'lowBalance: one call may cost Rs 16.00, you have Rs 10.40' },
  { why: 'a free plan needs none', free_paisa: 0, reserve_paisa: 0, is: 'dial 30' },
  {
    why: 'money came',
    status: 'lowBalance',
    free_paisa: 1600,
    is: 'onHold balance: one call may cost Rs 16.00, you have Rs 16.00: resume it to go on',
  },
  {
    why: 'not enough money came',
    status: 'lowBalance',
    free_paisa: 1500,
    is: 'wait: one call may cost Rs 16.00, you have Rs 15.00',
  },
  {
    why: 'the day is over',
    around: { now: at('21:00:00') },
    is: 'onHold hours: outside calling hours, dials from 2026-11-21 07:00',
  },
  {
    why: 'the day is over before the call could begin',
    around: { now: at('20:59:59') },
    is: 'onHold hours: outside calling hours, dials from 2026-11-21 07:00',
  },
  { why: 'there is time for a call', around: { now: at('20:59:58') }, is: 'dial 30' },
  { why: 'the next day has begun', status: 'onHold', hold_cause: 'hours', is: 'running' },
  {
    why: 'an administrator’s pause is not lifted by the clock',
    status: 'onHold',
    hold_cause: 'administrator',
    is: 'wait',
  },
  { why: 'nor a hold after low balance', status: 'onHold', hold_cause: 'balance', is: 'wait' },
  {
    why: 'the account was disabled',
    disabled: true,
    disabled_reason: 'fraud',
    is: 'onHold disabled: the account is disabled: fraud',
  },
  {
    why: 'the dialer is silent for a moment',
    around: { dialerDown: { reason: 'socket closed', long: false } },
    is: 'wait: dialer KTM does not answer: socket closed',
  },
  {
    why: 'the dialer is down',
    around: { dialerDown: { reason: 'socket closed', long: true } },
    is: 'onHold dialer: dialer KTM does not answer: socket closed',
  },
  {
    why: 'the trunk is held',
    around: { trunk: { ...trunk, health: held } },
    is: 'onHold trunk: trunk NT-1 is on hold: SIP 401; it will be tried again at 12:00:30',
  },
  {
    why: 'the trunk is still held',
    status: 'onHold',
    hold_cause: 'trunk',
    around: { trunk: { ...trunk, health: held } },
    is: 'wait: trunk NT-1 is on hold: SIP 401; it will be tried again at 12:00:30',
  },
  {
    why: 'the trunk cannot be used as it is set, whatever held it before',
    around: { trunk: { ...trunk, health: held, fault: 'DNS does not know its host sip.example.com' } },
    is: 'onHold trunk: trunk NT-1 cannot be used: DNS does not know its host sip.example.com',
  },
  {
    why: 'the dialer is just told of the trunk, or of its new settings',
    around: { trunk: { ...trunk, isSet: false } },
    is: 'wait: trunk NT-1 is being set up on dialer KTM',
  },
  { why: 'the trunk works again', status: 'onHold', hold_cause: 'trunk', is: 'running' },
  {
    why: 'dialling of an account above is stopped',
    around: block('account', 5),
    is: 'wait: all dialling of the account is stopped by the administrator: complaints',
  },
  { why: 'dialling of another trunk is stopped', around: block('trunk', 2), is: 'dial 30' },
  { why: 'paused while calls are up', status: 'pausing', in_call: 3, is: 'wait' },
  { why: 'the last of them ended', status: 'pausing', is: 'paused' },
  { why: 'resumed', status: 'resuming', is: 'start' },
  { why: 'resumed before it was prepared', status: 'resuming', prepared: false, fresh: 0, is: 'processing' },
  { why: 'resumed before its time', status: 'resuming', due: false, is: 'ready' },
  {
    why: 'resumed before its time, at night',
    status: 'resuming',
    due: false,
    around: { now: at('22:00:00') },
    is: 'ready',
  },
  {
    why: 'resumed at night',
    status: 'resuming',
    around: { now: at('22:00:00') },
    is: 'onHold hours: outside calling hours, dials from 2026-11-21 07:00',
  },
  { why: 'stopped: ringing calls are cancelled', status: 'cancelling', in_call: 3, is: 'hangUp' },
  { why: 'stopped at once', status: 'cancelling', in_call: 3, end_now: true, is: 'hangUp answered' },
  {
    why: 'nothing is up any more',
    status: 'cancelling',
    reason: 'Stopped by an administrator: spam',
    is: 'cancelled: Stopped by an administrator: spam',
  },
  {
    why: 'stopped in preparation, which must end first',
    status: 'cancelling',
    around: { preparing: true },
    is: 'wait',
  },
  {
    why: 'retried: its rows are queued first, though its last day was over',
    retry_requested: true,
    over: true,
    is: 'requeue',
  },
  { why: 'its last day is over', over: true, status: 'paused', is: 'expire' },
  { why: 'its last day is over, calls are up', over: true, fresh: 0, in_call: 1, is: 'wait: its last day is over' },
  {
    why: 'all rows are closed',
    over: true,
    status: 'onHold',
    hold_cause: 'administrator',
    fresh: 0,
    is: 'complete: its last day is over',
  },
  {
    why: 'a test ends where a campaign waits for money',
    is_test: true,
    free_paisa: 1040,
    is: 'failed: one call may cost Rs 16.00, you have Rs 10.40',
  },
  {
    why: 'a test waits for the money of calls that are not settled',
    is_test: true,
    free_paisa: 1040,
    unsettled: 1,
    is: 'wait: waiting for 1 call to settle',
  },
  {
    why: 'a test does not wait for the morning',
    is_test: true,
    status: 'ready',
    around: { now: at('05:00:00') },
    is: 'failed: outside calling hours, dials from 07:00',
  },
  {
    why: 'the hours of a test are over',
    is_test: true,
    around: { now: at('21:00:00') },
    is: 'failed: outside calling hours, dials from 2026-11-21 07:00',
  },
  {
    why: 'the hours of a test are over, a call of it is up',
    is_test: true,
    in_call: 1,
    around: { now: at('21:00:00') },
    is: 'wait: outside calling hours, dials from 2026-11-21 07:00',
  },
  { why: 'a test of an account that expired', is_test: true, expired: true, is: 'failed: the account has expired' },
  {
    why: 'a test waits for a trunk that is tried again',
    is_test: true,
    around: { trunk: { ...trunk, health: held } },
    is: 'onHold trunk: trunk NT-1 is on hold: SIP 401; it will be tried again at 12:00:30',
  },
  {
    why: 'nobody waits for a test any more',
    is_test: true,
    over: true,
    fresh: 0,
    is: 'complete: the call could not be made within ten minutes',
  },
]

test.each(cases)('$why: $is', ({ why, is, around: more = {}, ...rest }) => {
  expect(why).toBeTruthy()
  const row = { ...campaign, ...rest }
  const decision = decide(row, { ...around, ...more })
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
})
