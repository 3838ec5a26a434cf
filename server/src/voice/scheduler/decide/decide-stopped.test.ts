import { test } from 'vitest'
import { at, expectDecision, type Case } from '../../testing/decide.ts'

const cases: Case[] = [
  {
    why: 'an account above was disabled, whatever was said of it',
    stopped_by: 'above',
    is: 'onHold disabled: an account above its owner is disabled',
  },
  {
    why: 'the account was disabled before its rows were read',
    status: 'processing',
    prepared: false,
    stopped_by: 'itself',
    is: 'onHold disabled: the account is disabled',
  },
  {
    why: 'the account was disabled while the campaign is scheduled',
    status: 'ready',
    due: false,
    stopped_by: 'itself',
    is: 'onHold disabled: the account is disabled',
  },
  {
    why: 'the account is disabled and has expired, too',
    status: 'resuming',
    stopped_by: 'above',
    expired: true,
    is: 'onHold disabled: an account above its owner is disabled',
  },
  ...(['hours', 'trunk', 'dialer', 'prompts'] as const).map((hold_cause) => ({
    why: `a hold for ${hold_cause} would end by itself: the disabled account takes it over`,
    status: 'onHold' as const,
    hold_cause,
    stopped_by: 'above' as const,
    is: 'onHold disabled: an account above its owner is disabled',
  })),
  ...(['administrator', 'balance', 'expired'] as const).map((hold_cause) => ({
    why: `a hold for ${hold_cause} is not the disabled account’s`,
    status: 'onHold' as const,
    hold_cause,
    stopped_by: 'itself' as const,
    is: 'wait',
  })),
  { why: 'paused is paused', status: 'paused', stopped_by: 'itself', is: 'wait' },
  {
    why: 'the account itself is live again, one above is not',
    status: 'onHold',
    hold_cause: 'disabled',
    stopped_by: 'above',
    is: 'wait: an account above its owner is disabled',
  },
  { why: 'the account is live again', status: 'onHold', hold_cause: 'disabled', is: 'resuming' },
  {
    why: 'live again at night',
    status: 'onHold',
    hold_cause: 'disabled',
    context: { now: at('22:00:00') },
    is: 'resuming',
  },
  {
    why: 'a test of a disabled account ends',
    is_test: true,
    stopped_by: 'above',
    is: 'failed: an account above its owner is disabled',
  },
  { why: 'once it is prepared', is_test: true, status: 'processing', stopped_by: 'above', is: 'prepare' },
]

test.each(cases)('$why: $is', expectDecision)
