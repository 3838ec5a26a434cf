/**
 * What a hostile customer with a valid account can do, on the running product, and two customers who work meanwhile.
 * Everything over HTTP, as anybody could; the telephone network is the demo's.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { toneFile } from '@ghanti/server/testing/sound.ts'
import { signInOver, type Caller } from '@ghanti/server/testing/wire.ts'

/** How much of each: at its smallest the order can be seen, a bench wants weight. */
export type Sizes = {
  rows: number
  pasteBytes: number
  uploads: number
  pastes: number
  resets: number
  streams: number
  lists: number
  blacklistFiles: number
  /** Of each of these files. */
  blacklistLines: number
  blacklistNumbers: number
}
export const small: Sizes = {
  rows: 60_000,
  pasteBytes: 2_000_000,
  uploads: 20,
  pastes: 10,
  resets: 60,
  streams: 50,
  lists: 100,
  blacklistFiles: 4,
  blacklistLines: 20_000,
  blacklistNumbers: 40,
}
export const full: Sizes = {
  rows: 150_000,
  pasteBytes: 20_000_000,
  uploads: 40,
  pastes: 40,
  resets: 500,
  streams: 600,
  lists: 400,
  blacklistFiles: 12,
  blacklistLines: 400_000,
  blacklistNumbers: 400,
}

type Person = Caller & { cli: string; welcomePId: number }
export type Tenants = {
  address: string
  admin: Caller
  reseller: Caller
  childId: number
  hostile: Person
  working: Person
  composing: Person
}

const simpleIvr = 0
/** Campaigns of nobody or of others. */
const strangers = Array.from({ length: 100 }, (_, n) => 1_000_000 + n)
const oneNumber = 'One number'

/** The demo's people, with what they lack to call somebody. */
export async function enter(address: string): Promise<Tenants> {
  const admin = await signInOver(address, 'superadmin', demoPassword)
  const withLine = async (username: string): Promise<Person> => {
    const caller = await signInOver(address, username, demoPassword)
    const [line] = await caller.ask(lineRoutes.clisOfUser, { userId: caller.userId })
    if (!line) throw new Error(`${username} has no caller ID`)
    const waveFile = toneFile('tenants.wav', 1)
    const input = { waveFile, fileName: `Tenants ${username}`, promptCategory: 'welcome' }
    const { promptId } = await caller.ask(promptRoutes.upload, input)
    await admin.ask(promptRoutes.approve, { promptId })
    return { ...caller, cli: line.cli, welcomePId: promptId }
  }
  const reseller = await signInOver(address, 'reseller', demoPassword)
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
  return { address, admin, reseller, childId, hostile, working, composing }
}

/** A number a line, no two alike. With steps of 100 all end in 00: the virtual operator lets them answer. */
export function numbers(count: number, from: number, step = 100): string {
  return Array.from({ length: count }, (_, at) => `98${String(41_000_000 + (from + at) * step)}`).join('\n')
}

export async function pasted(person: Person, contactList: string): Promise<number> {
  return (await person.ask(contactRoutes.paste, { contactList })).baseId
}

export async function compose(person: Person, campaignName: string, baseId: number): Promise<number> {
  const { cli, welcomePId } = person
  const body = { campaignName, templateId: simpleIvr, cli, baseId, welcomePId, channels: 10 }
  return (await person.ask(composeRoutes.compose, body)).campaignId
}

/** Until the campaign is as it should be; answers how long that took. */
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

const detailOf = (person: Caller, campaignId: number) => person.ask(voiceCampaignRoutes.detail, { campaignId })

/** `endedAt`: monotonic. */
export type Answer = { what: string; status: number; ms: number; endedAt: number; retryAfter: boolean }

/** Asks and reads the whole answer, whatever it is. */
async function timed(what: string, ask: () => Promise<Response>): Promise<Answer> {
  const began = performance.now()
  const reply = await ask()
  await reply.arrayBuffer()
  const endedAt = performance.now()
  return { what, status: reply.status, ms: endedAt - began, endedAt, retryAfter: reply.headers.has('retry-after') }
}

const times = (count: number, what: string, ask: (n: number) => Promise<Response>): Promise<Answer>[] =>
  Array.from({ length: count }, (_, n) => timed(what, () => ask(n)))

/**
 * All at once, by a hostile customer and a hostile reseller. Answers what each request was told, how many of the event streams were left, and what
 * others were told who asked when all of that had been sent.
 */
export async function attack(tenants: Tenants, sizes: Sizes) {
  const { hostile, reseller, childId } = tenants
  const list = `9841000000\n${'9'.repeat(9)}\n`.repeat(Math.floor(sizes.pasteBytes / 21))
  // A file: text of a form is rewritten for each request, half a second of this process, in which the others ask as well.
  const contactList = new File([list], 'list.txt')
  const streams = await openStreams(hostile, sizes.streams)
  try {
    const one = await pasted(hostile, '9841000099')
    const many = await pasted(hostile, numbers(sizes.rows, 0, 1))
    const large: number[] = []
    for (const n of [1, 2, 3, 4]) large.push(await compose(hostile, `Large ${n}`, many))
    const answers = [
      ...Array.from({ length: 15 }, (_, n) =>
        patiently('one number', () =>
          hostile.send(composeRoutes.compose, {
            campaignName: `${oneNumber} ${n}`,
            templateId: simpleIvr,
            cli: hostile.cli,
            baseId: one,
            welcomePId: hostile.welcomePId,
            channels: 10,
          }),
        ),
      ),
      ...times(sizes.lists, 'lists', () =>
        hostile.send(voiceCampaignRoutes.list, { userId: hostile.userId, pageSize: 1000, search: 'number' }),
      ),
      ...times(40, 'several', () => hostile.send(voiceCampaignRoutes.pauseMany, { campaignIds: strangers })),
      ...times(sizes.resets, 'resets', (n) =>
        reseller.send(userRoutes.resetPassword, { userId: childId, password: `quiet-River-${n}-of-stone` }),
      ),
      ...times(sizes.uploads, 'uploads', (n) =>
        hostile.send(promptRoutes.upload, {
          waveFile: toneFile('a.wav', 30),
          fileName: `Flood ${n}`,
          promptCategory: 'welcome',
        }),
      ),
      ...times(sizes.pastes, 'pastes', () => hostile.send(contactRoutes.paste, { contactList })),
      ...times(60, 'previews', () => hostile.send(composeRoutes.preview, { baseId: one, templateId: simpleIvr })),
      ...times(60, 'exports', () => hostile.send(creditRoutes.historyCsv, { userId: hostile.userId })),
    ]
    const flooding = floodBlacklist(hostile, sizes)
    const behind = await Promise.all([login(tenants), ownList(tenants)])
    const [told, blacklisted] = await Promise.all([Promise.all(answers), flooding])
    for (const campaignId of large) await until(hostile, campaignId, isPrepared, 240_000)
    return { told: [...streams.answers, ...told, ...blacklisted], streamsOpen: streams.stillOpen(), behind }
  } finally {
    streams.close()
  }
}

/** Again and again until it is taken or refused for good; a minute at most. */
async function patiently(what: string, ask: () => Promise<Response>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await timed(what, ask)
    if (answer.status !== 429 || tries === 60) return answer
    await sleep(1000)
  }
}

/** Files of numbers and files of lines that are none onto the own blacklist, and single numbers: all at once, then again until they are stored. */
async function floodBlacklist(hostile: Caller, sizes: Sizes): Promise<Answer[]> {
  const { blacklistFiles: files, blacklistLines: lines, blacklistNumbers } = sizes
  const first = 5_000_000 // nobody calls these
  const texts = Array.from({ length: files }, (_, n) => {
    const list = numbers(lines, first + n * lines, 1)
    return n % 2 === 0 ? list : `${list.slice(0, 10)}\n${'no number\n'.repeat(lines - 1)}`
  })
  const upload = (n: number) => {
    const blistFile = new File([texts[n] ?? ''], `never ${n}.csv`, { type: 'text/csv' })
    return hostile.send(blacklistRoutes.upload, { blistFile })
  }
  const add = (n: number) => hostile.send(blacklistRoutes.add, { mobile: `98${56_000_000 + n}` })
  const answers = await Promise.all([
    ...times(files, 'blacklist files', upload),
    ...times(blacklistNumbers, 'blacklist numbers', add),
  ])
  for (let n = 0; n < files; n += 1) answers.push(await patiently('blacklist files', () => upload(n)))
  answers.push(await patiently('blacklist numbers', () => add(blacklistNumbers)))
  return answers
}

/** Opens them one after the other: each older one that has to give way ends. */
async function openStreams(hostile: Caller, count: number) {
  const over = new AbortController()
  const answers: Answer[] = []
  let open = 0
  for (let n = 0; n < count; n += 1) {
    const began = performance.now()
    const reply = await hostile.send(voiceCampaignRoutes.events)
    const retryAfter = reply.headers.has('retry-after')
    const endedAt = performance.now()
    answers.push({ what: 'streams', status: reply.status, ms: endedAt - began, endedAt, retryAfter })
    if (!reply.body) continue
    open += 1
    const ended = () => void (open -= 1)
    reply.body.pipeTo(new WritableStream(), { signal: over.signal }).then(ended, ended)
  }
  return { answers, stillOpen: () => open, close: () => over.abort() }
}

function ending(work: Promise<unknown>): AbortSignal {
  const over = new AbortController()
  const end = () => over.abort()
  work.then(end, end)
  return over.signal
}

function login({ address }: Tenants): Promise<Answer> {
  return timed('login', () =>
    fetch(`${address}/api/obd/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'user2', password: demoPassword }),
    }),
  )
}

function ownList({ working }: Tenants): Promise<Answer> {
  return timed('list', () => working.send(voiceCampaignRoutes.list, { userId: working.userId }))
}

/** What the others do while `busy` lasts, over and over: sign in, look at their lists. */
export async function work(tenants: Tenants, busy: Promise<unknown>): Promise<Answer[]> {
  const answers: Answer[] = []
  const over = ending(busy)
  do {
    answers.push(await login(tenants), await ownList(tenants))
    await sleep(200)
  } while (!over.aborted)
  return answers
}

/** The most calls that the campaigns of the one number had at the same moment, and how many they made, looked at until `over`. */
export async function watchOneNumber({ hostile }: Tenants, over: Promise<unknown>) {
  const ended = ending(over)
  const seen = { atOnce: 0, attempts: 0 }
  while (!ended.aborted) {
    const campaigns = await hostile.ask(voiceCampaignRoutes.list, { userId: hostile.userId, pageSize: 100 })
    const ofNumber = campaigns.filter(({ campaignName }) => campaignName.startsWith(oneNumber))
    const details = await Promise.all(ofNumber.map(({ campaignId }) => detailOf(hostile, campaignId)))
    const sum = (of: (detail: (typeof details)[number]) => number) => details.reduce((all, one) => all + of(one), 0)
    seen.atOnce = Math.max(
      seen.atOnce,
      sum(({ pending }) => pending.inCall),
    )
    seen.attempts = sum(({ attempts }) => attempts)
    await sleep(50)
  }
  return seen
}
