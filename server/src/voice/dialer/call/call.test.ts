import { setImmediate as settled, setTimeout as sleep } from 'node:timers/promises'
import { connectFlow, ringAgainMs, type Flow } from '@ghanti/callflow/flow.ts'
import { expect, test, vi } from 'vitest'
import type { DialerConnection, DialReply } from '../../../drivers/telephony/driver.ts'
import { polling } from '../../../testing/timeouts.ts'
import { recordedEndOf } from '../recover/recorded-end.ts'
import type { Attempt, CallEnd, CallPorts } from './call-ports.ts'
import { Call } from './call.ts'
import { costPaisa, type Plan } from '../../model/calls/plan.ts'
import { SavedCall } from '../../model/calls/saved-call.ts'

const attempt: Attempt = {
  id: 1,
  channelId: 'abc123-1-1-c',
  rowNo: 0,
  number: '+9779841000199',
  attemptNo: 1,
  congestions: 0,
  failures: 0,
  reservedPaisa: 40,
  claimedAt: 0,
  cli: { id: 1, number: '015970001', trunkId: 1, trunk: 'trunk-1' },
  stream: 0,
  tried: [],
  notHosts: [],
  spoken: [],
}
const plan: Plan = {
  campaignId: 1,
  payerIds: [],
  blacklistOwnerIds: [],
  flow: { templateId: 0, opening: [], menus: [], closing: [], speech: null, spoken: [] },
  language: 'ne',
  isTest: false,
  price: { pulseMs: 15_000, pulsePaisa: 40 },
  isRetry: false,
  retries: 2,
  retryMs: 600_000,
  ringMs: null,
  attemptsMax: 3,
  sounds: new Map(),
  gone: [],
}
const saved = {
  limitMs: 60_000,
  agent: null,
  patchBillMs: null,
  patchedTo: null,
  recordingId: null,
  trail: null,
  legs: [],
  seenAt: 1000,
}
const never = (): never => {
  throw new Error('nobody asks for this')
}

const ports: CallPorts = {
  connection: Object.create(null),
  epoch: 1,
  ringMs: () => 45_000,
  save: never,
  carried: never,
  ended: never,
  unresolved: never,
  failed: never,
  transcribe: never,
  unheard: never,
  mayRing: never,
  mayBeginLeg: never,
  takeLeg: never,
  failedHost: never,
  freeLeg: never,
  takeAgent: never,
  freeAgent: never,
  isBusy: never,
  legCounts: never,
  takeCustomer: never,
  extend: never,
  recording: never,
  notRecorded: never,
  hasRoom: never,
  notice: never,
  withheld: never,
}
/** Replies to dial requests, and is asked for nothing else but what is given. */
const connectionOf = (of: Partial<DialerConnection>): DialerConnection =>
  new Proxy(Object.create(null), { get: (_, key) => Reflect.get(of, key) ?? (key === 'speed' ? 1 : never) })

/** The result of a call whose dial request gets this reply. */
async function dialled(reply: DialReply): Promise<{ isUnresolved: boolean; ended: CallEnd['refused'] | 'not' }> {
  const connection = connectionOf({ dial: async () => reply })
  const reported = { isUnresolved: false, ended: 'not' as CallEnd['refused'] | 'not' }
  await new Call(attempt, plan, {
    ...ports,
    connection,
    ended: (_, { refused }) => (reported.ended = refused),
    unresolved: () => (reported.isUnresolved = true),
  }).dial()
  return reported
}

test.each<{ why: string; reply: DialReply; isUnresolved?: boolean; ended?: CallEnd['refused'] }>([
  { why: 'what rings goes on', reply: { outcome: 'dialled' } },
  { why: 'what may ring is asked for', reply: { outcome: 'unknown', reason: 'silence' }, isUnresolved: true },
  {
    why: 'a name that another channel has may be no call of ours: it is asked for',
    reply: { outcome: 'exists' },
    isUnresolved: true,
  },
  {
    why: 'what did not leave is given back',
    reply: { outcome: 'notSent', reason: 'no connection' },
    ended: { outcome: 'notSent', reason: 'no connection' },
  },
  {
    why: 'what the trunk refused ends',
    reply: { outcome: 'trunkFault', reason: 'unknown trunk' },
    ended: { outcome: 'trunkFault', reason: 'unknown trunk' },
  },
])('$why', async ({ reply, isUnresolved = false, ended = 'not' }) => {
  expect(await dialled(reply)).toEqual({ isUnresolved, ended })
})

test.each(['the number', 'the money', 'the contract'])(
  'who hangs up while the second leg waits for %s ends the call, and nobody else is rung',
  async (waitsFor) => {
    const rung: string[] = []
    const given = { legs: 0, ended: [] as CallEnd[] }
    const wait = Promise.withResolvers<void>()
    const after = async <T>(what: string, value: T): Promise<T> => {
      if (what === waitsFor) await wait.promise
      return value
    }
    let hasPlace = waitsFor !== 'the contract'
    const flow = connectFlow({ agent: '+9779801111133', customer: '+9779841000199' })
    const call = new Call(
      attempt,
      { ...plan, flow },
      {
        ...ports,
        connection: connectionOf({
          dial: async ({ number }) => (rung.push(number), { outcome: 'dialled' }),
          hangUp: async () => 'gone',
          setTalkMax: async () => 'done',
        }),
        save: () => undefined,
        carried: () => undefined,
        ended: (_, end) => given.ended.push(end),
        mayRing: () => true,
        mayBeginLeg: () => hasPlace,
        takeLeg: () => (given.legs++, true),
        freeLeg: () => (given.legs = 0),
        takeAgent: async () => 'taken',
        takeCustomer: () => after('the number', true),
        extend: () => after('the money', 1000),
      },
    )
    await call.dial()
    const { channelId } = attempt
    call.onEvent({ type: 'answered', channelId, at: 1000 })
    await settled()
    const leg = {
      startedAt: 0,
      answeredAt: 1000,
      at: 2000,
      endedBy: 'callee',
      sipStatus: null,
      cause: 16,
      alerted: true,
    } as const
    call.onEvent({ type: 'hungUp', channelId, ...leg })
    wait.resolve()
    hasPlace = true
    await vi.waitFor(() => expect(given.ended).toMatchObject([{ leg, beside: null, agentMissed: null }]))
    await sleep(50) // longer than a place in the contract is waited for between two questions
    expect(rung).toEqual(['+9779801111133'])
    expect(given.legs).toBe(0)
  },
)

test('a call that was on hold all the time and whose end nobody saw is free by the dialer’s record, too', () => {
  const { channelId, claimedAt } = attempt
  const ended: CallEnd[] = []
  const call = new Call(attempt, plan, { ...ports, connection: connectionOf({}), ended: (_, end) => ended.push(end) })
  call.adopted()
  const flow = { at: 'asking', step: 1, menu: 0, rePrompts: 0 }
  call.restore(1000, '', SavedCall.parse({ ...saved, flow }))
  const entry = { channelId, startedAt: 500, answeredAt: 1000, endedAt: 9000, cause: 16, endedByFarEnd: true }
  const record = { upSince: 0, channels: new Map([[channelId, { ...entry, soundless: true as const }]]) }
  const seen = { channelId, claimedAt, answeredAt: 1000, cancelled: false, alerted: false }
  const end = recordedEndOf(record, seen, { last: true, sent: true })
  call.close(end.is === 'ended' ? end.leg : null, { state: 'gone', leg: null })
  expect(ended).toMatchObject([{ leg: { answeredAt: null, endedBy: 'network', cause: 58, alerted: true } }])
})

test('before a busy agent is rung once more, what the call may then cost is reserved, and it may last as much longer', async () => {
  const price = { pulseMs: 1000, pulsePaisa: 1 }
  const keys = [{ digit: '1' as const, action: { type: 'agent' as const, number: '+9779801111101' } }]
  const menu = { name: 'menu', ask: [], keys, waitMs: 4000, rePrompts: 0, noInput: [], wrongInput: [] }
  const flow: Flow = { ...plan.flow, menus: [{ ...menu, unanswered: 'end' }] }
  let reservedPaisa = attempt.reservedPaisa
  const limitsMs: number[] = []
  const legs: { channelId: string; reservedPaisa: number; limitMs: number }[] = []
  const connection = connectionOf({
    speed: 1000,
    dial: async ({ channelId, ringBackTo }) => {
      if (ringBackTo) legs.push({ channelId, reservedPaisa, limitMs: limitsMs.at(-1) ?? 0 })
      return { outcome: 'dialled' }
    },
    play: async () => 'done',
    stopPlayback: async () => 'done',
    setTalkMax: async (_, ms) => (limitsMs.push(ms), 'done'),
    ringingTone: async () => 'done',
  })
  const now = Date.now()
  const call = new Call(
    { ...attempt, claimedAt: now },
    { ...plan, flow, price },
    {
      ...ports,
      connection,
      save: () => undefined,
      carried: () => undefined,
      mayRing: () => true,
      mayBeginLeg: () => true,
      takeLeg: () => true,
      failedHost: () => null,
      freeLeg: () => undefined,
      takeAgent: async () => 'taken',
      freeAgent: async () => undefined,
      isBusy: () => true,
      legCounts: () => true,
      extend: async (_, paisa) => (reservedPaisa += paisa),
    },
  )
  await call.dial()
  const { channelId } = attempt
  call.onEvent({ type: 'answered', channelId, at: now })
  call.onEvent({ type: 'digit', channelId, at: now, digit: '1' })
  await vi.waitFor(() => expect(legs).toHaveLength(1), polling)
  const [before = 0] = limitsMs
  const refused = {
    startedAt: 0,
    answeredAt: null,
    at: 2000,
    endedBy: 'network',
    sipStatus: 486,
    cause: 17,
    alerted: false,
  }
  call.onEvent({ type: 'hungUp', channelId: legs[0]?.channelId ?? '', ...refused, endedBy: 'network' })
  await vi.waitFor(() => expect(legs).toHaveLength(2), polling)
  expect(limitsMs[1]).toBe(before + ringAgainMs)
  for (const leg of legs) expect(leg.reservedPaisa).toBeGreaterThanOrEqual(costPaisa(price, leg.limitMs, 60_000))
  call.drop()
})

test('a call that an engine left while it began the agent’s leg does not wait for it in silence', async () => {
  const hungUp: string[] = []
  const connection = connectionOf({ hangUp: async (channelId) => (hungUp.push(channelId), 'done') })
  const flow = connectFlow({ agent: '+9779801111133', customer: '+9779841000199' })
  const call = new Call(attempt, { ...plan, flow }, { ...ports, connection, save: () => undefined })
  call.adopted()
  call.restore(1000, '', SavedCall.parse({ ...saved, flow: { at: 'ringing', step: 1, menu: 0, rePrompts: 0 } }))
  await call.goOn('up', 1000, { state: 'gone', leg: null })
  expect(hungUp, 'a Call Now has nothing else to do').toEqual([attempt.channelId])
})

test('a telephone that presses ten thousand keys, also after its call, leaves as many as the menus ask for, and no more work', async () => {
  const keys = [{ digit: '1' as const, action: { type: 'nextMenu' as const, say: [] } }]
  const rest = {
    ask: [],
    keys,
    waitMs: 4000,
    rePrompts: 3,
    noInput: [],
    wrongInput: [],
    unanswered: 'nextMenu' as const,
  }
  const flow: Flow = { ...plan.flow, menus: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, ...rest })) }
  const did = { asked: 0, saved: 0, longest: 0, lines: 0 }
  const ask = async () => ((did.asked += 1), 'done' as const)
  const ended: CallEnd[] = []
  const call = new Call(
    attempt,
    { ...plan, flow, isTest: true },
    {
      ...ports,
      connection: connectionOf({
        dial: async () => ({ outcome: 'dialled' }),
        play: ask,
        stopPlayback: ask,
        hangUp: ask,
        setTalkMax: ask,
      }),
      save: (step) => {
        did.saved += 1
        did.longest = Math.max(did.longest, JSON.stringify(step).length)
      },
      transcribe: () => (did.lines += 1),
      carried: () => undefined,
      ended: (_, end) => ended.push(end),
    },
  )
  await call.dial()
  const { channelId } = attempt
  call.onEvent({ type: 'answered', channelId, at: 1000 })
  const press = (): void => {
    for (let no = 0; no < 10_000; no += 1)
      call.onEvent({ type: 'digit', channelId, at: 1001 + no, digit: '0123456789*#'[no % 12] ?? '' })
  }
  press()
  const how = { startedAt: 0, answeredAt: 1000, endedBy: 'callee', sipStatus: null, cause: 16, alerted: true } as const
  call.onEvent({ type: 'hungUp', channelId, at: 20_000, ...how })
  press()
  await settled()
  const asked = flow.menus.length * 4 // each menu once, and three times more
  expect(ended).toHaveLength(1)
  expect(ended[0]?.keys.length).toBeLessThanOrEqual(flow.menus.length)
  expect(ended[0]?.trail?.length).toBeLessThan(200)
  expect(did.saved).toBeLessThanOrEqual(asked + 1)
  expect(did.longest).toBeLessThan(2000)
  expect(did.asked).toBeLessThanOrEqual(3 * asked)
  expect(did.lines).toBeLessThanOrEqual(4 * asked)
})
