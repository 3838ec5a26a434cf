import { expect, test } from 'vitest'
import type { EndedBy } from '../../../drivers/telephony/driver.ts'
import { silentCause } from '../../../lib/trunk-limits.ts'
import { classify, type DispositionRule } from './disposition.ts'

const leg = {
  endedBy: 'network' as EndedBy,
  answeredAt: null as number | null,
  sipStatus: null as number | null,
  cause: null as number | null,
  alerted: false,
}

test.each([
  { why: 'once answered it is ANSWER, whatever ended it', answeredAt: 1, sipStatus: 503, is: 'ANSWER good network' },
  { why: 'the callee hung up', answeredAt: 1, endedBy: 'callee' as const, is: 'ANSWER good customer' },
  { why: 'our time limit', answeredAt: 1, endedBy: 'timeLimit' as const, is: 'ANSWER good us' },
  { why: 'busy', sipStatus: 486, cause: 17, is: 'BUSY good network' },
  { why: 'busy without a status', cause: 17, is: 'BUSY good network' },
  {
    why: 'the status decides, not the cause made up beside it',
    sipStatus: 480,
    cause: 17,
    is: 'NO ANSWER good network',
  },
  { why: 'switched off', sipStatus: 480, cause: 19, is: 'NO ANSWER good network' },
  {
    why: 'the request timed out after it rang',
    sipStatus: 408,
    cause: 18,
    alerted: true,
    is: 'NO ANSWER good network',
  },
  { why: 'no user responded after it rang', cause: 18, alerted: true, is: 'NO ANSWER good network' },
  { why: 'a timer ran out after it rang', cause: 102, alerted: true, is: 'NO ANSWER good network' },
  { why: 'the request timed out and nothing rang', sipStatus: 408, cause: 18, is: 'CONGESTION fault network' },
  { why: 'no user responded and nothing rang', cause: 18, is: 'CONGESTION fault network' },
  { why: 'a timer ran out and nothing rang', cause: 102, is: 'CONGESTION fault network' },
  { why: 'ended normally without an answer', cause: 16, is: 'NO ANSWER good network' },
  { why: 'no such number', sipStatus: 404, cause: 1, is: 'INVALID good network' },
  { why: 'number incomplete', sipStatus: 484, cause: 28, is: 'INVALID good network' },
  { why: 'number changed', cause: 22, is: 'INVALID good network' },
  { why: 'declined', sipStatus: 603, cause: 21, is: 'REJECTED refusal network' },
  { why: 'forbidden', sipStatus: 403, is: 'REJECTED refusal network' },
  { why: 'wrong password', sipStatus: 401, cause: 21, is: 'CONGESTION broken network' },
  { why: 'codec refused', sipStatus: 488, cause: 58, is: 'CONGESTION fault network' },
  { why: 'any server error', sipStatus: 599, is: 'CONGESTION fault network' },
  { why: 'no circuit', cause: 34, is: 'CONGESTION congested network' },
  { why: 'no room', sipStatus: 503, cause: 34, is: 'CONGESTION congested network' },
  { why: 'our ring time-out after it rang', endedBy: 'ringTimeout' as const, alerted: true, is: 'NO ANSWER good us' },
  { why: 'our ring time-out and nothing rang', endedBy: 'ringTimeout' as const, is: 'CONGESTION fault us' },
  {
    why: 'our ring time-out and nothing rang, where calls ring',
    endedBy: 'ringTimeout' as const,
    cause: 19,
    carries: true,
    is: 'NO ANSWER fault us',
  },
  {
    why: 'no reply at all, where calls ring',
    endedBy: 'ringTimeout' as const,
    cause: silentCause,
    carries: true,
    is: 'CONGESTION fault us',
  },
  {
    why: 'no room after it rang, or an announcement',
    sipStatus: 503,
    cause: 34,
    alerted: true,
    is: 'NO ANSWER congested network',
  },
  { why: 'a server error after it rang', sipStatus: 500, cause: 38, alerted: true, is: 'NO ANSWER fault network' },
  { why: 'no circuit after it rang, without a status', cause: 34, alerted: true, is: 'NO ANSWER congested network' },
  { why: 'stopped by us', endedBy: 'hangUp' as const, alerted: true, is: 'CANCEL good us' },
  { why: 'the operator wants to be paid', sipStatus: 402, cause: 21, is: 'CONGESTION fault network' },
  { why: 'another 4xx, and nothing rang', sipStatus: 482, cause: 17, is: 'CONGESTION fault network' },
  { why: 'not acceptable anywhere, and nothing rang', sipStatus: 606, is: 'CONGESTION fault network' },
  { why: 'not acceptable after it rang', sipStatus: 606, alerted: true, is: 'FAILED good network' },
  { why: 'unwanted', sipStatus: 607, is: 'REJECTED refusal network' },
  { why: 'rejected on the way', sipStatus: 608, is: 'REJECTED refusal network' },
  { why: 'sent elsewhere: nobody else is called', sipStatus: 302, cause: 23, is: 'FAILED refusal network' },
  { why: 'sent elsewhere, without a status', cause: 23, is: 'FAILED refusal network' },
  { why: 'a status of no rule', sipStatus: 482, cause: 17, alerted: true, is: 'FAILED good network' },
  { why: 'a cause of no rule', cause: 127, is: 'FAILED good network' },
  { why: 'nothing said at all', is: 'FAILED good network' },
])('$why: $is', ({ why, is, carries = false, ...rest }) => {
  expect(why).toBeTruthy()
  const classified = classify({ ...leg, ...rest }, [], carries)
  expect(`${classified.disposition} ${classified.sign} ${classified.endedBy}`).toBe(is)
})

test('a row of the trunk’s own with status and cause counts where both fit', () => {
  const rules = [{ sip: [503], q850: [17], isBoth: true, disposition: 'BUSY', sign: 'good' }] as const
  expect(classify({ ...leg, sipStatus: 503, cause: 17 }, rules).disposition).toBe('BUSY')
  expect(classify({ ...leg, sipStatus: 503, cause: 34 }, rules).disposition).toBe('CONGESTION')
  expect(classify({ ...leg, sipStatus: null, cause: 17 }, []).disposition).toBe('BUSY')
  expect(classify({ ...leg, sipStatus: 500, cause: 17 }, rules).disposition).toBe('CONGESTION')
})

test('a trunk’s own rows go before the table', () => {
  const rules: DispositionRule[] = [{ sip: [480], q850: [], disposition: 'INVALID', sign: 'good' }]
  expect(classify({ ...leg, sipStatus: 480 }, rules).disposition).toBe('INVALID')
  expect(classify({ ...leg, sipStatus: 486 }, rules).disposition).toBe('BUSY')
})

test('a trunk’s own row does not make congestion of a call that rang', () => {
  const rules: DispositionRule[] = [{ sip: [480], q850: [], disposition: 'CONGESTION', sign: 'congested' }]
  const rang = { ...leg, sipStatus: 480, alerted: true }
  expect(classify(rang, rules)).toMatchObject({ disposition: 'NO ANSWER', sign: 'congested' })
})

test('a trunk’s own row goes before the rule of calls that never alerted', () => {
  const rules: DispositionRule[] = [{ sip: [408], q850: [], disposition: 'NO ANSWER', sign: 'good' }]
  expect(classify({ ...leg, sipStatus: 408 }, rules)).toMatchObject({ disposition: 'NO ANSWER', sign: 'good' })
})
