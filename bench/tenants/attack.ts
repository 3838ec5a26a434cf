/** What a hostile customer with a valid account can do to the running product, all over HTTP; the telephone network is the demo's. */
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { settingRoutes } from '@ghanti/contract/settings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { toneFile } from '@ghanti/server/testing/files/sound.ts'
import { streamsOfSessionMax } from '@ghanti/server/http/events.ts'
import { callerOver, signInOver, type Caller } from '@ghanti/server/testing/wire.ts'
import type { DatabaseChecks } from './database-checks.ts'
import {
  compose,
  detailOf,
  isPrepared,
  numbers,
  pasted,
  retryWhileBusy,
  simpleIvr,
  times,
  until,
  type Answer,
  type Person,
  type Tenants,
} from './people.ts'

/** How much of each: the smallest suffices to see the order, a bench needs weight. */
export type Sizes = {
  rows: number
  pasteBytes: number
  uploads: number
  pastes: number
  resets: number
  streams: number
  lists: number
  blacklistFiles: number
  /** Per file. */
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

export const oneNumber = '9841900099'
export const cappedNumber = '9841900199'
/** Each that finds the number in a call retries seconds later. */
const campaignsOfOneNumber = 6
/** Answered calls of one account to one number that `callTooOften` expects. */
export const callsOfDay = 2
/** Ids that do not exist or belong to others. */
const strangers = Array.from({ length: 100 }, (_, n) => 1_000_000 + n)

/** All at once, by a hostile customer and a hostile reseller. Returns the reply to each request. */
export async function attack({ hostile, reseller, childId }: Tenants, baseId: number, sizes: Sizes): Promise<Answer[]> {
  const list = `9841000000\n${'9'.repeat(9)}\n`.repeat(Math.floor(sizes.pasteBytes / 21))
  // A file, because a form's text is encoded again for each request, which takes half a second of this process that others share.
  const contactList = new File([list], 'list.txt')
  const answers = [
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
    ...times(60, 'previews', () => hostile.send(composeRoutes.preview, { baseId, templateId: simpleIvr })),
    ...times(60, 'exports', () => hostile.send(creditRoutes.historyCsv, { userId: hostile.userId })),
  ]
  const [answered, blacklisted] = await Promise.all([Promise.all(answers), floodBlacklist(hostile, sizes)])
  return [...answered, ...blacklisted]
}

/** They call the same number and are prepared at the same moment. */
export async function composeOfOneNumber(hostile: Person, baseId: number, checks: DatabaseChecks): Promise<number[]> {
  const ids: number[] = []
  const openGate = await checks.closeGate()
  for (let n = 0; n < campaignsOfOneNumber; n += 1) ids.push(await compose(hostile, `One number ${n}`, baseId))
  await openGate()
  for (const id of ids) await until(hostile, id, isPrepared, 60_000)
  return ids
}

/**
 * Campaigns of the capped number in sequence, each starting after the previous call: two complete, the next one waits. Returns how many of
 * its rows wait because the number was called today. `busyId`: a campaign to stop first, because it holds the channels.
 */
export async function callTooOften({ admin, hostile }: Tenants, busyId: number): Promise<number> {
  await until(hostile, busyId, isPrepared, 900_000)
  await hostile.ask(voiceCampaignRoutes.stop, { campaignId: busyId, now: true })
  await admin.ask(settingRoutes.save, { numberCaps: { answered: callsOfDay, attempted: 60, platform: 200 } })
  const baseId = await pasted(hostile, cappedNumber)
  let waiting = 0
  for (let n = 0; n <= callsOfDay; n += 1) {
    const campaignId = await compose(hostile, `Too often ${n}`, baseId)
    const isSettled = ({ campaignStatus, putOff }: Awaited<ReturnType<typeof detailOf>>) =>
      campaignStatus === campaignStatusCode.complete || putOff.calledToday > 0
    await until(hostile, campaignId, isSettled, 60_000)
    waiting = (await detailOf(hostile, campaignId)).putOff.calledToday
  }
  return waiting
}

/** Files of valid and invalid numbers, and single numbers, onto the own blacklist: all at once, then retried until stored. */
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
  for (let n = 0; n < files; n += 1) answers.push(await retryWhileBusy('blacklist files', () => upload(n)))
  answers.push(await retryWhileBusy('blacklist numbers', () => add(blacklistNumbers)))
  return answers
}

/**
 * Event streams of one session at one API, then of three more of the same account, in sequence; older ones that must give way end. Returns how many
 * stay open.
 */
export async function openStreams({ addresses: [address], hostile }: Tenants, count: number) {
  const over = new AbortController()
  let open = 0
  const openOne = async ({ send }: Pick<Caller, 'send'>): Promise<void> => {
    const { body } = await send(voiceCampaignRoutes.events)
    if (!body) return
    open += 1
    const ended = () => void (open -= 1)
    body.pipeTo(new WritableStream(), { signal: over.signal }).then(ended, ended)
  }
  const settled = async (): Promise<number> => {
    await sleep(2000) // a stream that should end does so within a second
    return open
  }
  try {
    const session = callerOver(address, hostile.headers, hostile.userId)
    for (let n = 0; n < count; n += 1) await openOne(session)
    const ofSession = await settled()
    for (let n = 0; n < 3; n += 1) {
      const session = await signInOver(address, 'client', demoPassword)
      for (let one = 0; one < streamsOfSessionMax; one += 1) await openOne(session)
    }
    return { ofSession, ofAccount: await settled() }
  } finally {
    over.abort()
  }
}
