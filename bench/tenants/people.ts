/** The people of `tenants.test.ts`: a hostile customer and two who work, and what they do over HTTP. */
import * as http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { toneFile } from '@ghanti/server/testing/files/sound.ts'
import { signInOver, type Caller } from '@ghanti/server/testing/wire.ts'
import { nth, overAll } from './processes.ts'

export type Person = Caller & { cli: string; welcomePId: number }
export type Tenants = {
  /** Of each API; whatever should be in order goes to the first. */
  addresses: readonly [string, ...string[]]
  admin: Caller
  reseller: Caller
  childId: number
  hostile: Person
  working: Person
  composing: Person
}

export const simpleIvr = 0

/** Long enough for its call to meet another one. */
const promptSeconds = 30
/** Rupees. */
const enough = 50_000

/** The demo's people, with what they lack to make calls. */
export async function enter(addresses: Tenants['addresses']): Promise<Tenants> {
  const enters = async (username: string): Promise<Caller> =>
    overAll(addresses, await signInOver(addresses[0], username, demoPassword))
  const admin = await enters('superadmin')
  await admin.ask(settingRoutes.save, { proofMinutes: 60 }) // the attackers’ sign-ins are old by the time of the last ones
  const withLine = async (username: string): Promise<Person> => {
    const caller = await enters(username)
    const [line] = await caller.ask(lineRoutes.clisOfUser, { userId: caller.userId })
    if (!line) throw new Error(`${username} has no caller ID`)
    const waveFile = toneFile('tenants.wav', promptSeconds)
    const input = { waveFile, fileName: `Tenants ${username}`, promptCategory: 'welcome' }
    const { promptId } = await caller.ask(promptRoutes.upload, input)
    await admin.ask(promptRoutes.approve, { promptId })
    return { ...caller, cli: line.cli, welcomePId: promptId }
  }
  const reseller = await enters('reseller')
  const [plan] = await reseller.ask(planRoutes.choices, { userId: reseller.userId })
  const child = {
    username: 'tenants.child',
    password: 'quiet-River-of-stone',
    name: 'Child',
    emailid: 'child@tenants.example',
    number: '9841000001',
    company: 'Tenants',
    address: 'Kathmandu',
    pincode: '44600',
    accountType: 0,
    userType: 'user',
    channels: 1,
    planId: plan?.planId,
    expiryDate: '2099-12-31',
  }
  await reseller.ask(userRoutes.register, child)
  const users = await reseller.ask(userRoutes.list, { userId: reseller.userId, search: child.username })
  const childId = users.users[0]?.userId ?? 0
  const [hostile, working, composing] = [await withLine('client'), await withLine('user'), await withLine('user2')]
  const agency = await enters('agency') // of the hostile customer, whose large campaigns are to find money to the end
  await reseller.ask(creditRoutes.add, { userId: agency.userId, credits: enough })
  await agency.ask(creditRoutes.add, { userId: hostile.userId, credits: enough })
  return { addresses, admin, reseller, childId, hostile, working, composing }
}

/** Distinct numbers, one per line. With steps of 100 all end in 00, which the virtual operator answers. */
export function numbers(count: number, from: number, step = 100): string {
  return Array.from({ length: count }, (_, at) => `98${String(41_000_000 + (from + at) * step)}`).join('\n')
}

export async function pasted(person: Person, contactList: string): Promise<number> {
  return (await person.ask(contactRoutes.paste, { contactList })).baseId
}

/** Prepared at once; starts at once or at `scheduleTime`. */
export async function compose(
  person: Person,
  campaignName: string,
  baseId: number,
  scheduleTime?: string,
): Promise<number> {
  const { cli, welcomePId } = person
  const body = { campaignName, templateId: simpleIvr, cli, baseId, welcomePId, channels: 10, scheduleTime }
  return (await person.ask(composeRoutes.compose, body)).campaignId
}

const dayMs = 24 * 3600_000
const nepalAheadMs = 5.75 * 3600_000
/** Nepal time, the day after tomorrow. */
export const muchLater = `${new Date(Date.now() + nepalAheadMs + 2 * dayMs).toISOString().slice(0, 10)} 12:00:00`

/** Waits for the campaign's state; returns how long that took. */
export async function until(
  person: Caller,
  campaignId: number,
  is: (detail: Awaited<ReturnType<typeof detailOf>>) => boolean,
  withinMs: number,
): Promise<number> {
  const began = performance.now()
  for (;;) {
    const detail = await detailOf(person, campaignId)
    if (is(detail)) return performance.now() - began
    if (performance.now() - began > withinMs)
      throw new Error(
        `${detail.campaignName} is ${detail.campaignStatus} after ${withinMs / 1000} s: ${detail.reason ?? ''}`,
      )
    await sleep(250)
  }
}

export const isPrepared = ({ campaignStatus }: { campaignStatus: number }): boolean =>
  campaignStatus !== campaignStatusCode.processing

export const detailOf = (person: Caller, campaignId: number) => person.ask(campaignDetailRoutes.detail, { campaignId })

/** `endedAt`: monotonic. */
export type Answer = { what: string; status: number; ms: number; endedAt: number; retryAfter: boolean }

/** Sends the request and reads the whole reply, whatever it is. */
async function timed(what: string, ask: () => Promise<Response>): Promise<Answer> {
  const began = performance.now()
  const reply = await ask()
  await reply.arrayBuffer()
  const endedAt = performance.now()
  return { what, status: reply.status, ms: endedAt - began, endedAt, retryAfter: reply.headers.has('retry-after') }
}

export const times = (count: number, what: string, ask: (n: number) => Promise<Response>): Promise<Answer>[] =>
  Array.from({ length: count }, (_, n) => timed(what, () => ask(n)))

/** Retries until accepted or refused for good, for at most a minute. */
export async function retryWhileBusy(what: string, ask: () => Promise<Response>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await timed(what, ask)
    if (answer.status !== 429 || tries === 60) return answer
    await sleep(1000)
  }
}

function ending(work: Promise<unknown>): AbortSignal {
  const over = new AbortController()
  const end = () => over.abort()
  work.then(end, end)
  return over.signal
}

/** Signs in from a network of its own: all of 127/8 is this machine. */
export function signInFrom(address: string, localAddress: string, credentials: object): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const request = http.request(new URL(signInRoutes.login.path, address), {
      method: 'POST',
      localAddress,
      headers,
      agent: false,
    })
    request.once('error', reject)
    request.once('response', (reply) => {
      const retryAfter = reply.headers['retry-after']
      reply.toArray().then((parts: Buffer[]) => {
        const known = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
        resolve(new Response(Buffer.concat(parts), { status: reply.statusCode ?? 0, headers: known }))
      }, reject)
    })
    request.end(JSON.stringify(credentials))
  })
}

let signIns = 0
/** The network of the nth of many. */
export const networkOf = (second: number, n: number): string =>
  `127.${second}.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`

/** Of an account that does nothing else afterwards: an account has few sessions, and those that are worked with must stay. */
function login({ addresses }: Tenants): Promise<Answer> {
  const credentials = { username: 'agency', password: demoPassword }
  const n = ++signIns
  return timed('login', () => signInFrom(nth(addresses, n), networkOf(2, n), credentials))
}

function ownList({ working }: Tenants): Promise<Answer> {
  return timed('list', () => working.send(voiceCampaignRoutes.list, { userId: working.userId }))
}

/** What the others do in a loop while `busy` lasts: sign in and read their lists. */
export async function work(tenants: Tenants, busy: Promise<unknown>): Promise<Answer[]> {
  const answers: Answer[] = []
  const over = ending(busy)
  do {
    answers.push(await login(tenants), await ownList(tenants))
    await sleep(200)
  } while (!over.aborted)
  return answers
}

let called = 0
/** Nobody else calls these, and each is called once: numbers have caps of a day. */
const tenMore = (): string => numbers(10, 400_000 + 10 * called++)

/** Composes campaigns of ten numbers one after the other while `busy` lasts, and waits until each has called them all. */
export async function callTen(person: Person, busy: Promise<unknown>): Promise<Answer[]> {
  const answers: Answer[] = []
  const over = ending(busy)
  do {
    const baseId = await pasted(person, tenMore())
    const began = performance.now()
    const id = await compose(person, `Ten ${began}`, baseId)
    const composed = performance.now()
    const isOver = ({ campaignStatus }: { campaignStatus: number }) => campaignStatus === campaignStatusCode.complete
    await until(person, id, isOver, 60_000)
    const endedAt = performance.now()
    answers.push({ what: 'compose', status: 200, ms: composed - began, endedAt: composed, retryAfter: false })
    answers.push({ what: 'ten calls', status: 200, ms: endedAt - composed, endedAt, retryAfter: false })
    if (!over.aborted) await sleep(4000) // an account may paste twenty files a minute
  } while (!over.aborted)
  return answers
}
