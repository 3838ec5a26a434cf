import { mintId } from '../db/platform-accounts.ts'
import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import { demoAccounts, demoPassword } from '@ghanti/contract/auth.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'
import { simulatedGateway, simulatedTrunk } from './demo-network.ts'
import { hashPassword } from '../modules/auth/actions-passwords.ts'
import { readLogo, saveBrand } from '../modules/branding/actions.ts'
import { withFiles } from '../modules/files/actions.ts'
import { moveCredits } from '../modules/credits/actions-move.ts'
import { makeLived } from './lived/lived.ts'
import { demoOrigin } from './origin.ts'
import type { People } from './people.ts'
import { readAllNotices } from '../modules/notices/actions.ts'
import { changeSetting } from '../modules/platform/actions.ts'
import { defaultCallingHours } from '../modules/platform/rules-hours.ts'
import { decidePrompt, uploadPrompt } from '../modules/prompts/actions.ts'
import { createAccount } from '../modules/users/actions-create.ts'
import { noAccountYet } from '../modules/users/actions-demo.ts'
import type { Viewer } from '../policy.ts'
import * as store from './store-demo.ts'
import { tonesWav } from './tones.ts'

export const demoLogins = `Demo accounts: ${demoAccounts.join(', ')}; the password of each: ${demoPassword}`

/**
 * On the first start of an embedded database: accounts, plans, money, lines, brands and a few prompts (docs/design.md#embedded-mode), and, unless the
 * configuration says `empty`, 90 days of history.
 */
export async function makeDemo(app: App): Promise<void> {
  if (!(await noAccountYet(app.db))) return
  const passwordHash = await hashPassword(demoPassword, 'demo')
  const people = await app.db.transaction().execute(async (tx) => {
    await changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled: false }, null) // a demo dials at night too
    await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
    await changeSetting(tx, 'smsNumberCaps', { account: 100, platform: 400 }, null)
    await changeSetting(tx, 'numberCaps', { answered: 20, attempted: 60, platform: 200 }, null) // the demo calls the same few numbers again and again
    await changeSetting(tx, 'firstPassword', false, null) // who tries it out makes accounts, and signs in as each
    return makePeople(tx, passwordHash)
  })
  await makeBrands(app, people)
  if (!app.config.empty) return makeLived(app, people)
  for (const owner of [people.user, people.user2, people.client]) await makePrompts(app, people.superadmin, owner)
}

type Person = Pick<Viewer, 'username' | 'role'> & {
  parent: Viewer | null
  planId: number | null
  channels: number | null
  name: string
  company: string
  /** Call Now calls this number first. Numbers ending in 07 answer. */
  number: string
}

async function makePeople(tx: Tx, passwordHash: string): Promise<People> {
  const make = (person: Person): Promise<Viewer> => makePerson(tx, person, passwordHash)
  const mint = await mintId(tx)
  const wholesale = await store.insertPlan(tx, {
    ownerId: mint,
    name: 'Wholesale, 30 s at Rs 0.35',
    pulseSeconds: 30,
    pulsePaisa: 35,
  })
  const platform = { planId: null, channels: null, company: 'Ghanti' }
  const superadmin = await make({
    ...platform,
    username: 'superadmin',
    role: 'superAdmin',
    parent: null,
    name: 'Sita Sharma',
    number: '9851000001',
  })
  const agency = { planId: wholesale, channels: 100, company: 'Sagarmatha Voice' }
  const reseller = await make({
    ...agency,
    username: 'reseller',
    role: 'reseller',
    parent: superadmin,
    name: 'Ram Thapa',
    number: '9851000002',
  })
  const perHalfMinute = await store.insertPlan(tx, {
    ownerId: reseller.userId,
    name: 'Half minute, 30 s at Rs 0.50',
    pulseSeconds: 30,
    pulsePaisa: 50,
  })
  const perMinute = await store.insertPlan(tx, {
    ownerId: reseller.userId,
    name: 'Minute, 60 s at Rs 0.90',
    pulseSeconds: 60,
    pulsePaisa: 90,
  })
  const bank = { planId: perHalfMinute, channels: 30, company: 'Himal Bank' }
  const user = await make({
    ...bank,
    username: 'user',
    role: 'user',
    parent: reseller,
    name: 'Gita Rai',
    number: '9851000007',
  })
  const shop = { planId: perMinute, channels: 30, company: 'Pokhara Motors' }
  const user2 = await make({
    ...shop,
    username: 'user2',
    role: 'user',
    parent: reseller,
    name: 'Hari Gurung',
    number: '9851000107',
  })
  const give = (payerId: number, payeeId: number, rupees: number, by: Viewer) =>
    moveCredits(tx, { payerId, payeeId, paisa: rupees * 100, action: 'credit_add', byUserId: by.userId })
  await give(mint, reseller.userId, 100_000, superadmin)
  await give(reseller.userId, user.userId, 20_000, reseller)
  await give(reseller.userId, user2.userId, 5000, reseller)
  const below = await makeAgency(tx, reseller, { make, planId: perHalfMinute })
  await give(reseller.userId, below.agency.userId, 10_000, reseller)
  await give(below.agency.userId, below.client.userId, 2000, below.agency)
  const people = { superadmin, reseller, user, user2, ...below }
  await makeLine(tx, people)
  await makeMessages(tx, people)
  return people
}

type Hand = { make: (person: Person) => Promise<Viewer>; planId: number }

/** A reseller below the reseller, with its own user, so that each level earns from that user's calls. */
async function makeAgency(
  tx: Tx,
  reseller: Viewer,
  { make, planId }: Hand,
): Promise<Pick<People, 'agency' | 'client'>> {
  const agency = await make({
    planId,
    channels: 10,
    company: 'Annapurna Media',
    username: 'agency',
    role: 'reseller',
    parent: reseller,
    name: 'Bina Shrestha',
    number: '9851000005',
  })
  const retail = await store.insertPlan(tx, {
    ownerId: agency.userId,
    name: 'Half minute, 30 s at Rs 0.65',
    pulseSeconds: 30,
    pulsePaisa: 65,
  })
  const client = await make({
    planId: retail,
    channels: 10,
    company: 'Fewa School',
    username: 'client',
    role: 'user',
    parent: agency,
    name: 'Kiran Magar',
    number: '9851000207',
  })
  return { agency, client }
}

async function makePerson(tx: Tx, { parent, ...person }: Person, passwordHash: string): Promise<Viewer> {
  const parentId = parent?.userId ?? null
  const emailid = `${person.username}@ghanti.example`
  const where = { address: 'Kathmandu', pincode: '44600', isDemo: true, isMailConfirmed: true }
  const userId = await createAccount(tx, { ...person, ...where, parentId, emailid, passwordHash })
  return { userId, username: person.username, role: person.role, parentId }
}

/** One simulated dialer with a trunk. Each CLI is held by the reseller and by the accounts to which it was passed on. */
async function makeLine(tx: Tx, { reseller, user, user2, agency, client }: People): Promise<void> {
  const caps = { cps: 20, channels: 200 }
  const dialerId = await store.insertSimulatedDialer(tx, 'Simulated dialer', caps)
  const trunkId = await store.insertTrunk(tx, { dialerId, name: simulatedTrunk, pilotNumber: '015970000' }, caps)
  await store.insertCli(tx, { number: '015970001', trunkId, channels: 50, holders: [reseller, user] })
  await store.insertCli(tx, { number: '015970002', trunkId, channels: 50, holders: [reseller, user2] })
  await store.insertCli(tx, { number: '015970003', trunkId, channels: 50, holders: [reseller] })
  await store.insertCli(tx, { number: '015970004', trunkId, channels: 50, holders: [reseller, agency, client] })
}

/** One simulated gateway for the messages of all operators, and a sender ID for each user. */
async function makeMessages(tx: Tx, { user, user2, client }: People): Promise<void> {
  await store.insertSimulatedGateway(tx, simulatedGateway, { window: 50, tps: 100 })
  await store.insertSender(tx, user.userId, 'HimalBank')
  await store.insertSender(tx, user2.userId, 'PokharaMoto')
  await store.insertSender(tx, client.userId, 'FewaSchool')
}

/** 127.0.0.1 and any other host show the platform's brand, localhost the reseller's. */
async function makeBrands(app: App, { superadmin, reseller }: People): Promise<void> {
  const ctx = { app, viewer: superadmin, origin: demoOrigin }
  const brands = [
    { userId: null, company: 'Ghanti', picture: 'ghanti.png' },
    {
      userId: reseller.userId,
      company: 'Sagarmatha Voice',
      picture: 'sagarmatha-voice.png',
      domain: 'localhost',
      primaryColour: '#0b7a75',
    },
  ]
  for (const { picture, ...brand } of brands) {
    const file = path.join(import.meta.dirname, 'logos', picture)
    const { size } = await fs.stat(file)
    const logo = await readLogo({ path: file, size, fileName: picture, declaredType: 'image/png' })
    await withFiles(app, (tx) => saveBrand(tx, ctx, { ...brand, logo }))
  }
}

const prompts: { name: string; category: PromptCategory; tones: number[] }[] = [
  { name: 'Welcome (demo tone)', category: 'welcome', tones: [440, 554, 659] },
  { name: 'Menu (demo tone)', category: 'menu', tones: [523, 659, 523, 659] },
  { name: 'Nothing heard (demo tone)', category: 'noinput', tones: [392, 330] },
  { name: 'Wrong key (demo tone)', category: 'wronginput', tones: [330, 262] },
  { name: 'Thanks (demo tone)', category: 'thanks', tones: [659, 554, 440] },
  { name: 'Opt in (demo tone)', category: 'optin', tones: [440, 659] },
  { name: 'Opt out (demo tone)', category: 'optout', tones: [659, 440] },
  { name: 'Action (demo tone)', category: 'action', tones: [494, 587] },
]

/** Uploaded and approved by the same actions as in the console. The notices about it are removed. */
async function makePrompts(app: App, superadmin: Viewer, owner: Viewer): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'ghanti-demo-'))
  try {
    for (const { name, category, tones } of prompts) {
      const file = path.join(folder, `${category}.wav`)
      const bytes = tonesWav(tones)
      await fs.writeFile(file, bytes)
      const wave = { path: file, size: bytes.length, fileName: `${name}.wav`, declaredType: 'audio/wav' }
      const { promptId } = await uploadPrompt({ app, viewer: owner, origin: demoOrigin }, { name, category, wave })
      await decidePrompt(
        { app, viewer: superadmin, origin: demoOrigin },
        { promptId, status: 'approved', reason: null },
      )
    }
    await readAllNotices(app, owner.userId)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
