/** One campaign as in production, over HTTP from the upload to the report, with every figure computed a second time. */
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { creditRoutes } from '@ghanti/contract/credits.ts'
import { pulsesOf, rupeesOf, type Price } from '@ghanti/contract/money.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { reportRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { parse } from 'csv-parse/sync'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { openPool } from './db/pool.ts'
import { createSimulator } from './drivers/telephony/simulator/simulator.ts'
import { startEngine } from './voice/engine.ts'
import { faultsOf } from './dispatch/faults.ts'
import { checkInvariants } from './voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from './dispatch/statement.ts'
import { forSpreadsheet } from './lib/csv.ts'
import { startWorkers } from './jobs.ts'
import { changeSetting } from './modules/platform/actions.ts'
import { defaultCallingHours } from './modules/platform/rules-hours.ts'
import { testApp } from './testing/app.ts'
import { generateContacts } from './testing/files/contact-file.ts'
import { testHttp } from './testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser, seededPassword, sumOfBalances } from './testing/seed.ts'
import { toneFile } from './testing/files/sound.ts'
import { signInOver, type Caller } from './testing/wire.ts'
import { unzipped } from './testing/files/zip.ts'
import { atEndOfFile } from './testing/cleanup.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })
const polling = { timeout: 150_000, interval: 250 }

const speed = 100
const timeScale = 1 / 2000
const file = generateContacts({ rows: 2_500, seed: 7 })
const keys = ['1', '2', '3', '*']
/** From the user up: each pays the next. */
const prices: readonly [Price, Price, Price] = [
  { pulseMs: 15_000, pulsePaisa: 40 },
  { pulseMs: 15_000, pulsePaisa: 30 },
  { pulseMs: 1000, pulsePaisa: 2 },
]
const bought = 20_000

/** By a number's last two digits: how its row must end, and after how many calls (the virtual operator's table and the retry rules). */
const fates = new Map<string, [disposition: string, calls: number]>([
  ...['01', '08'].map((end): [string, [string, number]] => [end, ['BUSY', 3]]),
  ...['02', '05', '45', '49'].map((end): [string, [string, number]] => [end, ['NO ANSWER', 3]]),
  ...['03', '40'].map((end): [string, [string, number]] => [end, ['REJECTED', 2]]),
  ...['04', '43'].map((end): [string, [string, number]] => [end, ['INVALID', 1]]),
  ...['06', '38', '39', '42'].map((end): [string, [string, number]] => [end, ['CONGESTION', 7]]),
])

type Row = (typeof file.accepted)[number]
const endOf = ({ phone }: Pick<Row, 'phone'>): string => String(phone).slice(-2)
const answers = (row: Row): boolean => !fates.has(endOf(row))

/** The one key that counts: 1x presses x, 2x 9 and then x, 30 *, 32 1 2 3. */
function keyOf(row: Row): string {
  const end = endOf(row)
  const pressed = /^[12]/.test(end) ? end.slice(1) : end === '30' ? '*' : end === '32' ? '1' : ''
  return keys.includes(pressed) ? pressed : ''
}

const app = await testApp()
let admin: Caller
let resellers: [Caller, Caller]
let user: Caller
let campaignId: number
const blacklisted = [5, 50, 500].flatMap((at) => file.accepted[at] ?? [])
const dialled = file.accepted.filter((row) => !blacklisted.includes(row))

async function promptOf(category: PromptCategory, seconds: number): Promise<number> {
  const waveFile = toneFile(`${category}.wav`, seconds)
  const { promptId } = await user.ask(promptRoutes.upload, { waveFile, fileName: category, promptCategory: category })
  await admin.ask(promptRoutes.approve, { promptId })
  return promptId
}

async function makePeople(address: string): Promise<{ cli: string }> {
  const [retail, wholesale, top] = prices
  const plan = (price: Price, owner?: Awaited<ReturnType<typeof newReseller>>) =>
    newPlan(app, { pulseSeconds: price.pulseMs / 1000, pulsePaisa: price.pulsePaisa, ...(owner && { owner }) })
  const root = await newSuperAdmin(app)
  const above = await newReseller(app, { parent: root, planId: await plan(top), channels: 5000 })
  const below = await newReseller(app, { parent: above, planId: await plan(wholesale, above), channels: 5000 })
  const planId = await plan(retail, below)
  const person = await newUser(app, { parent: below, planId, channels: 1000, rupees: bought })
  const { cli } = await newLine(app, { holders: [person], channels: 1000, cps: 4000 })
  const signIn = ({ username }: { username: string }) => signInOver(address, username, seededPassword)
  admin = await signIn(root)
  resellers = [await signIn(below), await signIn(above)]
  user = await signIn(person)
  const { id: mint } = await app.db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'mint')
    .executeTakeFirstOrThrow()
  const owners = [person.userId, above.userId, mint]
  const blacklist = blacklisted.map(({ phone }, at) => ({ phone, owner_id: owners[at] ?? mint }))
  await app.db.insertInto('blacklist').values(blacklist).execute()
  await app.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled: false }, null))
  return { cli }
}

function dial(): void {
  const pool = openPool(
    { connectionString: app.url, max: 6, name: 'ghanti-engine', options: enginePoolOptions },
    () => {},
  )
  const simulator = createSimulator({ recordFolder: path.join(app.config.dataFolder, 'record'), speed })
  const { config, files, clock, log } = app
  const dialerSettings = { secret: config.secret, mediaFolder: path.join(config.dataFolder, 'media') }
  const deps = { pool, telephony: [simulator], files, speech: app, dialerSettings, clock, log }
  const engine = startEngine({ ...deps, engineId: 'test', timeScale })
  atEndOfFile(async () => {
    await engine.stop({ drainMs: 0 })
    simulator.close()
    await pool.end()
  })
}

const attempts = () => app.db.selectFrom('attempt').selectAll().where('campaign_id', '=', campaignId)
const rows = () => app.db.selectFrom('campaign_contact').selectAll().where('campaign_id', '=', campaignId)

beforeAll(async () => {
  const http = await testHttp(app)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  const { cli } = await makePeople(`http://127.0.0.1:${port}`)
  await startWorkers(app)
  dial()

  const contactList = new File([file.text], 'ग्राहक.csv', { type: 'application/vnd.ms-excel' })
  const base = await user.ask(contactRoutes.baseUpload, { baseName: 'Customers', baseFile: contactList })
  expect(base).toMatchObject({ rows: file.expected.rows })
  const campaign = {
    campaignName: 'Ten thousand',
    templateId: 1,
    cli,
    baseId: base.baseId,
    dtmf: keys.join(','),
    welcomePId: await promptOf('welcome', 1),
    menuPId: await promptOf('menu', 4),
    wrongInputPId: await promptOf('wronginput', 3),
    thanksPId: await promptOf('thanks', 1),
    menuWaitTime: 3,
    rePrompt: 1,
    channels: 1000,
  }
  const { rows, accepted, invalid, duplicate } = file.expected
  const preview = await user.ask(composeRoutes.preview, campaign)
  expect(preview).toMatchObject({ rows, accepted: accepted - blacklisted.length, invalid, duplicate, blacklisted: 3 })
  campaignId = (await user.ask(composeRoutes.compose, campaign)).campaignId
  await vi.waitFor(async () => {
    const { campaignStatus } = await user.ask(campaignDetailRoutes.detail, { campaignId })
    expect(campaignStatus, 'Complete').toBe(2)
  }, polling)
}, 180_000)

test('every line of the file is a row or has the reason why it is none', async () => {
  const detail = await user.ask(campaignDetailRoutes.detail, { campaignId })
  const { rows: inFile, accepted, invalid, duplicate } = file.expected
  expect(detail).toMatchObject({ rowsInFile: inFile, numbersUploaded: accepted, invalid, duplicate })
  expect(detail.rowsInFile).toBe(detail.numbersUploaded + detail.invalid + detail.duplicate)
  const reply = await user.send(campaignDetailRoutes.refusedCsv, { campaignId })
  const refused: string[][] = parse(await reply.text(), { bom: true, fromLine: 2 })
  expect(refused.map(([line]) => Number(line))).toEqual(file.refused.map(({ line }) => line))
  expect(
    refused.every((cells) => cells.at(-1) !== ''),
    'a reason each',
  ).toBe(true)
})

test('every row is in one final state, as its number says, after as many calls as its number says', async () => {
  const detail = await user.ask(campaignDetailRoutes.detail, { campaignId })
  expect(detail).toMatchObject({ dndCount: blacklisted.length, numbersProcessed: dialled.length })
  expect(detail.numbersUploaded).toBe(detail.numbersProcessed + detail.dndCount)
  expect(detail.pending).toMatchObject({ fresh: 0, inCall: 0, waiting: 0 })
  expect(detail).toMatchObject({
    callsConnected: dialled.filter(answers).length,
    dtmfCount: dialled.filter((row) => keyOf(row) !== '').length,
  })
  expect(Object.values(detail.outcomes).reduce((sum, n) => sum + n, 0)).toBe(detail.attempts)

  const calls = new Map<number, number>()
  const made = await attempts().where('disposition', '<>', 'CANCEL').execute() // claimed but not dialled when a trunk went on hold, so given back
  for (const { phone, disposition, alerted } of made) {
    // Nothing had rung yet, as where the first sign was late on a busy machine: it is called again (docs/adr/9).
    const provesNothing = disposition === 'CONGESTION' && !alerted && fates.get(endOf({ phone }))?.[0] !== 'CONGESTION'
    if (!provesNothing) calls.set(phone, (calls.get(phone) ?? 0) + 1)
  }
  const ended = new Map((await rows().execute()).map((row) => [row.phone, row]))
  expect(ended.size).toBe(file.accepted.length)
  const callsOf = ({ phone }: Row): string =>
    made
      .filter((call) => call.phone === phone)
      .map(({ disposition, sip_status, alerted }) => `${disposition} ${sip_status} ${alerted}`)
      .join(', ')
  const wrong = file.accepted.flatMap((row) => {
    const { state, disposition, line } = ended.get(row.phone) ?? {}
    const said = `${state} ${disposition} ${line} ${calls.get(row.phone) ?? 0}`
    if (blacklisted.includes(row)) return said === `dnd null ${row.line} 0` ? [] : [said]
    const [fate, times] = fates.get(endOf(row)) ?? ['ANSWER', 1]
    return said === `done ${fate} ${row.line} ${times}`
      ? []
      : [`${row.phone}: ${said}, not ${fate} ${times}; ${callsOf(row)}`]
  })
  expect(wrong).toEqual([])
})

test('the attempts over HTTP are those of the database, page by page', async () => {
  const listed: number[] = []
  for (let after = ''; ;) {
    const input = { campaignId, pageSize: 1000, ...(after && { after }) }
    const reply = await user.send(campaignDetailRoutes.attempts, input)
    const page: { attemptId: number }[] = await reply.json()
    listed.push(...page.map(({ attemptId }) => attemptId))
    after = reply.headers.get('x-next-after') ?? ''
    if (!after) break
  }
  const stored = await attempts().select('id').orderBy('id', 'desc').execute()
  expect(listed).toEqual(stored.map(({ id }) => id))
})

test('the ledger adds up to the paisa on every level, and the histories say the same', async () => {
  const answered = (await attempts().execute()).flatMap(({ bill_ms }) => bill_ms ?? [])
  expect(answered).toHaveLength(dialled.filter(answers).length)
  const [paid, passedOn, toPlatform] = prices.map(({ pulseMs, pulsePaisa }) =>
    answered.reduce((sum, ms) => sum + pulsesOf(ms, pulseMs) * pulsePaisa, 0),
  ) as [number, number, number]
  const detail = await user.ask(campaignDetailRoutes.detail, { campaignId })
  expect(detail.cost).toBe(rupeesOf(paid))

  const posted = app.db.selectFrom('transfer').where('campaign_id', '=', campaignId)
  const levels = await posted
    .select(['level', 'payer_id', 'payee_id', (e) => e.fn.sum<number>('amount_paisa').as('paisa')])
    .groupBy(['level', 'payer_id', 'payee_id'])
    .orderBy('level')
    .execute()
  const revenue = await app.db
    .selectFrom('account')
    .select('id')
    .where('kind', '=', 'revenue')
    .executeTakeFirstOrThrow()
  const [below, above] = resellers
  expect(levels).toEqual([
    { level: 0, payer_id: user.userId, payee_id: below.userId, paisa: paid },
    { level: 1, payer_id: below.userId, payee_id: above.userId, paisa: passedOn },
    { level: 2, payer_id: above.userId, payee_id: revenue.id, paisa: toPlatform },
  ])
  expect(await sumOfBalances(app)).toBe(0)

  const history = async (of: Caller) => {
    const entries = await of.ask(creditRoutes.history, { userId: of.userId })
    const own = entries.filter(({ campaignName, toUsername }) => campaignName !== null && toUsername !== '')
    return own.map(({ action, credits, campaignName, userBalance }) => ({ action, credits, campaignName, userBalance }))
  }
  expect(await history(user)).toEqual([
    {
      action: 'campaign_deduction',
      credits: -rupeesOf(paid),
      campaignName: 'Ten thousand',
      userBalance: rupeesOf(bought * 100 - paid),
    },
  ])
  const margin = (paisa: number) => ({
    action: 'campaign_margin',
    credits: rupeesOf(paisa),
    userBalance: rupeesOf(paisa),
  })
  expect(await history(below)).toContainEqual(expect.objectContaining(margin(paid - passedOn)))
  expect(await history(above)).toContainEqual(expect.objectContaining(margin(passedOn - toPlatform)))
})

test('the report holds exactly the connected calls, with every column of the file and the keys', async () => {
  await vi.waitFor(async () => {
    const { reportStatus } = await user.ask(reportRoutes.download, { campaignId, reprtType: 'cc' })
    expect(reportStatus).toBe('2')
  }, polling)
  const zip = await user.send(reportRoutes.zip, { campaignZip: `${campaignId}.zip` })
  const texts = await unzipped(Buffer.from(await zip.arrayBuffer()))
  const textOf = (type: string) => Object.entries(texts).find(([name]) => name.includes(` ${type} `))?.[1] ?? ''
  const lines = (type: 'cc' | 'dtmf'): Record<string, string>[] => parse(textOf(type), { bom: true, columns: true })
  const summaryOf = (row: Record<string, string>) =>
    `${row['Row']} ${row['Mobile']} ${row['Name']} ${row['Disposition']} ${row['Keys']}`
  const expected = (row: Row) =>
    `${row.line} ${forSpreadsheet(nationalOf(String(row.phone)))} ${row.name} ANSWER ${keyOf(row)}`
  expect(lines('cc').map(summaryOf).toSorted()).toEqual(dialled.filter(answers).map(expected).toSorted())
  expect(lines('dtmf').map(summaryOf).toSorted()).toEqual(
    dialled
      .filter((row) => keyOf(row) !== '')
      .map(expected)
      .toSorted(),
  )
})

test('the invariants hold: no call twice, no cap broken, no paisa lost', async () => {
  expect(faultsOf(await checkInvariants(app.pool))).toEqual([])
})
