/**
 * Queues in which a hostile customer has many entries and somebody else comes last. Only the order counts, which does not depend on the
 * machine's load.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { callerOver } from '@ghanti/server/testing/wire.ts'
import type { DatabaseChecks } from './database-checks.ts'
import {
  compose,
  isPrepared,
  muchLater,
  networkOf,
  numbers,
  pasted,
  signInFrom,
  until,
  type Person,
  type Tenants,
} from './people.ts'

/** `stood`: how many of the flood were queued; `before`: how many of them were served before the last comer. */
export type Passed = { status: number; stood: number; before: number }

/** Sends a request, reads the whole reply and returns its status. */
type Ask = () => Promise<number>
const asks =
  (ask: () => Promise<Response>): Ask =>
  async () => {
    const reply = await ask()
    await reply.arrayBuffer()
    return reply.status
  }

/**
 * Keeps `inLine` requests queued: each that is answered is sent again. Then somebody else comes. The best of three counts: on a busy
 * machine more of the flood may pass first, but a first-come queue never lets fewer.
 */
async function passFlood(inLine: number, ask: Ask, theirs: Ask): Promise<Passed> {
  const flood = { answered: 0, over: false }
  const standing = Array.from({ length: inLine }, async () => {
    while (!flood.over) {
      const status = await ask()
      if (status >= 500 || status === 429) throw new Error(`the flood was answered ${status}`)
      flood.answered += 1
    }
  })
  const ended = Promise.all(standing)
  const tries: Passed[] = []
  try {
    while (flood.answered < inLine) await sleep(20)
    for (let n = 0; n < 3; n += 1) {
      const from = flood.answered
      const status = await theirs()
      tries.push({ status, stood: inLine, before: flood.answered - from })
    }
  } finally {
    flood.over = true
    await ended
  }
  const refused = tries.find(({ status }) => status !== 200)
  return refused ?? tries.reduce((best, one) => (one.before < best.before ? one : best))
}

/** At one API, whose queue it is. */
export function passLists({ addresses: [address], hostile, working }: Tenants): Promise<Passed> {
  const list = ({ userId, headers }: Person) =>
    callerOver(address, headers, userId).send(voiceCampaignRoutes.list, {
      userId,
      pageSize: 1000,
      search: 'number',
      sort: 'pendingCalls',
    })
  return passFlood(
    60,
    asks(() => list(hostile)),
    asks(() => list(working)),
  )
}

/** Strangers from many networks sign in repeatedly while new passwords are set. */
export async function passSignIns({ addresses: [address], admin, childId }: Tenants): Promise<Passed> {
  const { send } = callerOver(address, admin.headers, admin.userId)
  const reset = asks(() => send(userRoutes.resetPassword, { userId: childId, password: 'kx9-vQ2-mZ7' }))
  await reset() // the thread that checks passwords is ready for the next ones
  let strangers = 0
  const flood = async () => {
    strangers += 1
    return await strangerSignsIn(address, strangers)
  }
  return await passFlood(50, flood, reset)
}

/** With a different name and network each. */
async function strangerSignsIn(address: string, n: number): Promise<number> {
  return (await signInFrom(address, networkOf(1, n), { username: `nobody.${n}`, password: demoPassword })).status
}

export type Prepared = {
  large: number[]
  middle: number[]
  /** Which of these were not prepared yet when ten rows of another account were, and a long file of a third. */
  leftAtTen: number[]
  leftAtLong: number[]
}

const middles = 8

/**
 * The hostile customer's large campaign has its turn when their other ones arrive, and then those of others: a long file, and ten rows.
 * Nothing proceeds until all of them are queued.
 */
export async function passPreparation(tenants: Tenants, checks: DatabaseChecks, rows: number): Promise<Prepared> {
  const { hostile, working, composing } = tenants
  const refused = Array.from({ length: refusedLines }, (_, n) => `no number ${n}`).join('\n')
  const many = await pasted(hostile, `${numbers(rows, 0, 1)}\n${refused}`)
  const some = await pasted(hostile, numbers(10_000, 200_000, 1))
  const theirs = await pasted(working, numbers(20_001, 300_000, 1))
  const few = await pasted(composing, numbers(10, 5000))
  const never = await compose(composing, 'Never', few, muchLater)
  await until(composing, never, isPrepared, timeoutMs)
  const openGate = await checks.closeGate()
  const large = [await compose(hostile, 'Large 1', many)]
  while (!(await checks.waitsAtGate())) await sleep(50)
  large.push(await compose(hostile, 'Large 2', many, muchLater))
  const middle: number[] = []
  for (let n = 0; n < middles; n += 1) middle.push(await compose(hostile, `Middle ${n}`, some, muchLater))
  const long = await compose(working, 'Long', theirs, muchLater)
  const ten = await compose(composing, 'Ten rows', few)
  await engineHasLooked(composing, never)
  await openGate()
  const left = async (over: number): Promise<number[]> => {
    for (;;) {
      const preparing = await checks.preparing([...large, ...middle, long, ten])
      if (!preparing.includes(over)) return preparing
      await sleep(5)
    }
  }
  const [leftAtTen, leftAtLong] = await Promise.all([left(ten), left(long)])
  return { large, middle, leftAtTen, leftAtLong }
}

/** More than are kept of a file. */
const refusedLines = 12_000
const timeoutMs = 60_000

/** One round of the engine finds all work: once it has ended the campaign stopped last, everything composed before is queued. */
async function engineHasLooked(person: Person, campaignId: number): Promise<void> {
  await person.ask(voiceCampaignRoutes.stop, { campaignId })
  const isOver = ({ campaignStatus }: { campaignStatus: number }) => campaignStatus === campaignStatusCode.cancelled
  await until(person, campaignId, isOver, timeoutMs)
  await sleep(300)
}
