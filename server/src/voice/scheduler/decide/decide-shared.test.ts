import { test } from 'vitest'
import { block, expectDecision, opened, newOtherDialer, trunk, type Case } from '../../testing/decide.ts'

const pokhara = newOtherDialer({})
const silent = newOtherDialer({ carries: false, cause: 'dialer', reason: 'dialer PKR does not answer: lost' })
const lost = { dialerDown: { reason: 'lost', long: true } }
const faulty = { ...trunk, health: opened }
const refused = { trunkId: 1, kind: 'INVALID', reason: 'refused', probes: 0, nextProbeAt: 0 } as const
const prompts = { prompt: 'Dashain', reason: 'its file is not there', retryAt: new Date('2026-11-20T12:01:00+05:45') }
const over = 'wait: calls go over dialer PKR; dialer KTM does not answer: lost'
const onHoldReason = 'trunk NT-1 is on hold: SIP 401; it will be tried again at 12:00:30'

const led: Case[] = [
  { why: 'another dialer carries its calls', context: lost, is: over },
  { why: 'at once', context: { dialerDown: { reason: 'lost', long: false } }, is: over },
  {
    why: 'no other does',
    context: lost,
    others: [silent],
    is: 'onHold dialer: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: dialer PKR does not answer: lost',
  },
  {
    why: 'none carries them, and on one a call may try its trunk',
    context: lost,
    others: [{ ...silent, cause: 'trunk', reason: 'trunk NC-1 is on hold: SIP 503' }],
    is: 'onHold trunk: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: trunk NC-1 is on hold: SIP 503',
  },
  {
    why: 'it is on hold for a dialer, and on another one a call may try its trunk by now',
    context: lost,
    status: 'onHold',
    hold_cause: 'dialer',
    others: [{ ...silent, cause: 'trunk', reason: 'trunk NC-1 is on hold: SIP 503' }],
    is: 'onHold trunk: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: trunk NC-1 is on hold: SIP 503',
  },
  {
    why: 'it is on hold, and each dialer is named as long as it is',
    context: lost,
    status: 'onHold',
    hold_cause: 'dialer',
    others: [silent],
    is: 'wait: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: dialer PKR does not answer: lost',
  },
  {
    why: 'the engine of the other one has not said yet',
    context: lost,
    others: [newOtherDialer({ carries: false, unreported: true })],
    is: 'wait: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: no engine serves dialer PKR',
  },
  {
    why: 'it is on hold for a trunk elsewhere, and refused here',
    context: { refused },
    status: 'onHold',
    hold_cause: 'trunk',
    others: [{ ...silent, cause: 'trunk', reason: 'trunk NC-1 is on hold: SIP 503' }],
    is: 'wait: on dialer KTM: refused; it will be tried again as soon as it can be; on dialer PKR: trunk NC-1 is on hold: SIP 503',
  },
  {
    why: 'no engine serves the other one',
    context: lost,
    others: [newOtherDialer({ carries: false })],
    is: 'onHold dialer: on dialer KTM: dialer KTM does not answer: lost; on dialer PKR: no engine serves dialer PKR',
  },
  { why: 'a trunk on hold', context: { trunk: faulty }, is: `wait: calls go over dialer PKR; ${onHoldReason}` },
  {
    why: 'voice files that cannot be played here',
    context: { prompts },
    is: 'wait: calls go over dialer PKR; prompt Dashain cannot be played on dialer KTM: its file is not there; it will be tried again at 12:01',
  },
  {
    why: 'calls that are refused here',
    context: { refused },
    is: 'wait: calls go over dialer PKR; refused; it will be tried again as soon as it can be',
  },
  { why: 'nothing keeps it', is: 'dial 30' },
  { why: 'the last row is done elsewhere', context: lost, fresh: 0, fresh_left: 0, is: 'complete' },
  { why: 'its end has come', context: lost, over: true, is: 'expire' },
  {
    why: 'it is on hold, and another dialer came back',
    context: lost,
    status: 'onHold',
    hold_cause: 'dialer',
    is: 'running',
  },
  { why: 'for a trunk', context: { trunk: faulty }, status: 'onHold', hold_cause: 'trunk', is: 'running' },
  { why: 'it begins elsewhere', context: lost, status: 'ready', is: 'start' },
  { why: 'its rows are read', context: lost, status: 'processing', prepared: false, is: 'prepare' },
  {
    why: 'the platform is stopped for all',
    context: { ...lost, ...block('platform', null) },
    is: 'wait: all dialling of the platform is stopped by the administrator: complaints',
  },
  {
    why: 'a test call goes over a dialer that can take it',
    context: { trunk: faulty },
    is_test: true,
    is: `wait: calls go over dialer PKR; ${onHoldReason}`,
  },
]

test.each(led)('the dialer that leads a shared campaign: $why', (row) => {
  expectDecision({ is_shared: true, others: [pokhara], ...row })
})

const leading = newOtherDialer({
  name: 'KTM',
  leads: true,
  steps: [{ priority: 1, weight: 1, costPaisa: 0, operators: null, has_room: true }],
})
const helps: Case[] = [
  { why: 'dials', is: 'dial 30' },
  { why: 'not when its last row is done, which is for the one that leads', fresh: 0, fresh_left: 0, is: 'wait' },
  { why: 'not over a trunk on hold', context: { trunk: faulty }, is: 'wait' },
  { why: 'not while it is on hold', status: 'onHold', hold_cause: 'trunk', is: 'wait' },
  { why: 'nor ready', status: 'ready', is: 'wait' },
  { why: 'nor while its rows are queued again', retry_requested: true, is: 'wait' },
  { why: 'nor after its end', over: true, is: 'wait' },
  { why: 'not a test call that the leading one can take', is_test: true, others: [leading], is: 'wait' },
  {
    why: 'a test call that the leading one cannot take',
    is_test: true,
    others: [{ ...leading, carries: false, reason: 'trunk NT-1 is on hold: SIP 401' }],
    is: 'dial 30',
  },
  {
    why: 'a test call while the leading one has no channel',
    is_test: true,
    others: [{ ...leading, steps: leading.steps.map((step) => ({ ...step, has_room: false })) }],
    is: 'dial 30',
  },
  {
    why: 'not a test call of which the leading one has not said anything',
    is_test: true,
    others: [{ ...leading, carries: false }],
    is: 'wait',
  },
  { why: 'ends its calls', status: 'cancelling', end_now: true, in_call: 3, is: 'hangUp answered' },
]

test.each(helps)('a dialer that does not lead it: $why', (row) => {
  expectDecision({ is_shared: true, leads: false, others: [pokhara], ...row })
})

const [ntc, ncell] = [1, 2]
const rows = (stream: number, fresh_left = 50) => ({
  stream,
  fresh_left,
  next_due_us: null,
  next_due_no: null,
  retry_due: false,
  next_put_off: null,
  reason: null,
})
const step = { priority: 1, weight: 1, costPaisa: 0 }
/** Nepal Telecom's trunk is here, Ncell's on the other dialer. */
const parted = { streams: [rows(ntc), rows(ncell)], route: [{ ...step, trunkId: 1, operators: [ntc] }] }
const withNcell = { steps: [{ ...step, operators: [ncell], has_room: true }], streams: { 2: null } }
const ncellOnHold = 'trunk NC-1 is on hold: SIP 503'
const byOperator = (reason: string | null) => ({
  faultsHere: [{ stream: ntc, reason }],
  faultByOperator: reason,
  trunk: reason === null ? trunk : faulty,
})

const operators: Case[] = [
  { why: 'both operators have a trunk', context: byOperator(null), others: [newOtherDialer(withNcell)], is: 'dial 30' },
  {
    why: 'its own trunk is on hold, and the other operator’s numbers are called',
    context: byOperator(onHoldReason),
    others: [newOtherDialer(withNcell)],
    is: `wait: calls go over dialer PKR; ${onHoldReason}`,
  },
  {
    why: 'of the other operator no numbers are left',
    context: byOperator(onHoldReason),
    others: [newOtherDialer(withNcell)],
    streams: [rows(ntc), rows(ncell, 0)],
    is: `onHold trunk: ${onHoldReason}`,
  },
  {
    why: 'no operator has a trunk that works',
    context: byOperator(onHoldReason),
    others: [
      newOtherDialer({
        ...withNcell,
        carries: false,
        cause: 'trunk',
        reason: ncellOnHold,
        streams: { 2: ncellOnHold },
      }),
    ],
    is: `onHold trunk: numbers of Nepal Telecom: ${onHoldReason}; numbers of Ncell: ${ncellOnHold}`,
  },
  {
    why: 'an operator has trunks on both dialers, and none works',
    context: byOperator(onHoldReason),
    others: [
      newOtherDialer({
        carries: false,
        cause: 'trunk',
        reason: ncellOnHold,
        streams: { 1: 'trunk NT-2 is on hold: SIP 401', 2: ncellOnHold },
        steps: [{ ...step, operators: null, has_room: true }],
      }),
    ],
    is: `onHold trunk: numbers of Nepal Telecom: on dialer KTM: ${onHoldReason}; on dialer PKR: ${ncellOnHold}; numbers of Ncell: ${ncellOnHold}`,
  },
  {
    why: 'only numbers are left for which it has no trunk, and the other dialer calls them',
    context: { ...byOperator(null), trunk: null },
    others: [newOtherDialer(withNcell)],
    streams: [rows(ntc, 0), rows(ncell)],
    is: 'wait: calls go over dialer PKR; dialer KTM has no trunk for the numbers that are left',
  },
  {
    why: 'and the other dialer is lost',
    context: { ...byOperator(null), trunk: null },
    others: [{ ...silent, ...withNcell }],
    streams: [rows(ntc, 0), rows(ncell)],
    is: 'onHold trunk: dialer PKR does not answer: lost',
  },
]

test.each(operators)('the dialer that leads a campaign by operator: $why', (row) => {
  expectDecision({ is_shared: true, ...parted, ...row })
})
