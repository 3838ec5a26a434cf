import { test } from 'vitest'
import { block, expectDecision, held, trunk, type Case } from '../testing/decide.ts'

const pokhara = { name: 'PKR', carries: true, reason: null, steps: [] }
const silent = { ...pokhara, carries: false, reason: 'dialer PKR does not answer: lost' }
const lost = { dialerDown: { reason: 'lost', long: true } }
const faulty = { ...trunk, health: held }
const refused = { trunkId: 1, kind: 'INVALID', reason: 'refused', probes: 0, nextProbeAt: 0 } as const
const prompts = { prompt: 'Dashain', reason: 'its file is not there', retryAt: new Date('2026-11-20T12:01:00+05:45') }
const over = 'wait: calls go over dialer PKR; dialer KTM does not answer: lost'
const heldReason = 'trunk NT-1 is on hold: SIP 401; it will be tried again at 12:00:30'

const led: Case[] = [
  { why: 'another dialer carries its calls', context: lost, is: over },
  { why: 'at once', context: { dialerDown: { reason: 'lost', long: false } }, is: over },
  {
    why: 'no other does',
    context: lost,
    others: [silent],
    is: 'onHold dialer: dialer KTM does not answer: lost',
  },
  { why: 'a held trunk', context: { trunk: faulty }, is: `wait: calls go over dialer PKR; ${heldReason}` },
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
    why: 'a test is of this dialer alone',
    context: { trunk: faulty },
    is_test: true,
    is: `onHold trunk: ${heldReason}`,
  },
]

test.each(led)('the dialer that leads a shared campaign: $why', (row) => {
  expectDecision({ is_shared: true, others: [pokhara], ...row })
})

const helps: Case[] = [
  { why: 'dials', is: 'dial 30' },
  { why: 'not when its last row is done, which is for the one that leads', fresh: 0, fresh_left: 0, is: 'wait' },
  { why: 'not over a held trunk', context: { trunk: faulty }, is: 'wait' },
  { why: 'not while it is on hold', status: 'onHold', hold_cause: 'trunk', is: 'wait' },
  { why: 'nor ready', status: 'ready', is: 'wait' },
  { why: 'nor while its rows are queued again', retry_requested: true, is: 'wait' },
  { why: 'nor after its end', over: true, is: 'wait' },
  { why: 'ends its calls', status: 'cancelling', end_now: true, in_call: 3, is: 'hangUp answered' },
]

test.each(helps)('a dialer that does not lead it: $why', (row) => {
  expectDecision({ is_shared: true, leads: false, others: [pokhara], ...row })
})
