import { expect, test } from 'vitest'
import * as z from 'zod'
import { engineDb } from '../../testing/db.ts'
import { claimed, newCampaign, newFixtures, phones } from '../../testing/fixtures.ts'
import { savedCall } from '../../testing/saved-call.ts'
import { openAttempts } from '../../../dispatch/lease/lease.sql.ts'
import { SavedCall } from './saved-call.ts'
import { saveSteps } from '../../settle/steps.sql.ts'

const at = await engineDb()

/** What engines of the version before a call could say noChannel read. */
const earlier = z.object({
  flow: z.object({
    at: z.enum(['dialling', 'asking', 'waiting', 'ringing', 'talking', 'closing', 'ended']),
    step: z.number(),
    menu: z.number(),
    rePrompts: z.number(),
  }),
  limitMs: z.number(),
  agent: z.nullable(z.object({ channelId: z.string(), number: z.string() })),
  patchBillMs: z.nullable(z.number()),
  patchedTo: z.nullable(z.string()),
  agentMissed: z.nullable(z.enum(['notFree', 'notReached', 'noMoney'])).default(null),
  last: z.nullable(z.unknown()).default(null),
  recordingId: z.nullable(z.string()),
  notice: z.enum(['none', 'playing', 'over']).default('none'),
  unheard: z.boolean().default(false),
  legs: z.array(z.string()),
  seenAt: z.number(),
})

test('while an installation is upgraded, an engine of the version before adopts calls whose agent got no channel or was busy, and one of this version still knows why', async () => {
  const fixtures = await newFixtures(at)
  const { user, line, lease } = fixtures
  const campaignId = await newCampaign(at, { user, line, phones: phones(4) })
  const calls = await claimed(at, fixtures, campaignId, 4)
  const reasons = ['noChannel', 'notFree', 'busy', null] as const
  const steps = calls.map(({ id }, i) => ({
    attemptId: id,
    answeredAt: 1000,
    keys: '1',
    call: { ...savedCall, agentMissed: reasons[i] ?? null },
  }))
  await saveSteps(
    at.engine,
    steps.map((step) => ({ lease, step })),
  )
  const saved = (await openAttempts(at.engine, lease.dialerId)).toSorted((one, other) => one.id - other.id)
  expect(saved.map(({ state }) => earlier.parse(state).agentMissed)).toEqual(['notFree', 'notFree', 'notReached', null])
  expect(saved.map(({ state }) => SavedCall.parse(state))).toEqual(steps.map(({ call }) => call))
})

test('what engines of earlier versions saved is read as it was meant', () => {
  const oldest = { ...savedCall, agentMissed: undefined, notice: undefined, last: undefined }
  expect(SavedCall.parse(oldest)).toEqual(savedCall)
  for (const missed of ['noChannel', 'notFree', 'notReached', 'noMoney'] as const)
    expect(SavedCall.parse({ ...savedCall, agentMissed: missed })).toEqual({ ...savedCall, agentMissed: missed })
})
