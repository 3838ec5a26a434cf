import { expect, test } from 'vitest'
import type { DialerConnection, DialReply } from '../../drivers/telephony/driver.ts'
import type { Attempt, CallEnd, CallPorts } from './call-ports.ts'
import { Call } from './call.ts'
import type { Plan } from './plan.ts'

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
const never = (): never => {
  throw new Error('nobody asks for this')
}

/** The result of a call whose dial request gets this reply. */
async function dialled(reply: DialReply): Promise<{ isUnresolved: boolean; ended: CallEnd['refused'] | 'not' }> {
  const connection: DialerConnection = new Proxy(Object.create(null), {
    get: (_, key) => (key === 'speed' ? 1 : key === 'dial' ? async () => reply : never),
  })
  const reported = { isUnresolved: false, ended: 'not' as CallEnd['refused'] | 'not' }
  const ports: CallPorts = {
    connection,
    epoch: 1,
    ringMs: () => 45_000,
    save: never,
    carried: never,
    ended: (_, { refused }) => (reported.ended = refused),
    unresolved: () => (reported.isUnresolved = true),
    failed: never,
    transcribe: never,
    unheard: never,
    mayBeginLeg: never,
    takeLeg: never,
    failedHost: never,
    freeLeg: never,
    takeAgent: never,
    freeAgent: never,
    takeCustomer: never,
    extend: never,
    recording: never,
    notRecorded: never,
    hasRoom: never,
    notice: never,
    withheld: never,
  }
  await new Call(attempt, plan, ports).dial()
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
