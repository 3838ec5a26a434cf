// @module-tag exhaustive
/**
 * Spoken values over a real Asterisk: two campaigns and a test call composed over the API. Each callee hears the own row, as the operator's
 * recordings show.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pulsesOf, rupeesOf } from '@ghanti/contract/money.ts'
import type { TestCall } from '@ghanti/contract/test-calls.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPool } from '../server/src/db/pool.ts'
import { asteriskDriver } from '../server/src/drivers/telephony/asterisk/asterisk.ts'
import { ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { startEngine } from '../server/src/voice/engine.ts'
import { faultsOf } from '../server/src/dispatch/faults.ts'
import { checkInvariants } from '../server/src/voice/invariants/invariants.sql.ts'
import { enginePoolOptions } from '../server/src/dispatch/statement.ts'
import { ariSecretPurpose } from '../server/src/modules/dialers/rules-secrets.ts'
import { changeSetting } from '../server/src/modules/platform/actions.ts'
import { defaultCallingHours } from '../server/src/modules/platform/rules-hours.ts'
import type { Viewer } from '../server/src/policy.ts'
import { seal } from '../server/src/lib/secrets.ts'
import { testApp } from '../server/src/testing/app.ts'
import { newBase, newPrompt } from '../server/src/testing/campaigns.ts'
import { signedIn, testHttp } from '../server/src/testing/http.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { newLine, newPlan, newReseller, newUser } from '../server/src/testing/seed.ts'
import { heardBy, heardInOrder, secondsOfSound } from './heard.ts'
import { skewMs } from './testing.ts'

const price = { pulseMs: 15_000, pulsePaisa: 50 }
const app = await testApp()
const pool = openPool(
  { connectionString: app.url, max: 6, name: 'ghanti-engine', options: enginePoolOptions },
  () => {},
)
const own = await ownDialer()
let engine: ReturnType<typeof startEngine> | undefined
afterAll(async () => {
  await engine?.stop({ drainMs: 0 }) // it holds a connection of the pool as long as it lives
  await pool.end()
  await own.remove()
})

/** The first three record what they hear; the last presses 1 two seconds after the answer. */
const [keeps, keepsToo, tested, presses] = ['9841000136', '9841000236', '9841000336', '9841000111']
const reminders = `mobile,client_name,service_name,amount,month
${keeps},Sita Sharma,Oil Change,125000.50,Kartik
${keepsToo},Ram Bahadur Thapa,Full Service,4321,3
`
const appointments = `mobile,date,token\n${presses},2026-12-01,4711\n`

let http: Awaited<ReturnType<typeof testHttp>>
let user: Viewer
let campaignId: number
let keyedId: number
let testId: number

beforeAll(async () => {
  http = await testHttp(app)
  const reseller = await newReseller(app, { planId: await newPlan(app, { pulseSeconds: 15, pulsePaisa: 40 }) })
  const planId = await newPlan(app, { owner: reseller, pulseSeconds: 15, pulsePaisa: price.pulsePaisa })
  user = await newUser(app, { parent: reseller, planId, rupees: 100 })
  await app.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'callingHours', { ...defaultCallingHours, enabled: false }, null))
  const cli = await lineTo(own)
  const dialerSettings = { secret: app.config.secret, mediaFolder: path.join(app.config.dataFolder, 'media') }
  const { files, clock, log } = app
  engine = startEngine({
    pool,
    files,
    clock,
    log,
    dialerSettings,
    speech: app,
    telephony: [asteriskDriver()],
    engineId: 'test',
    timeScale: 0.004,
  })
  const reminder = {
    campaignName: 'Reminders',
    templateId: 7,
    cli,
    retries: 0,
    language: 'en',
    baseId: await baseOf(reminders, ['mobile', 'client_name', 'service_name', 'amount', 'month']),
    prompts: {
      welcome: [
        { type: 'menu1', promptId: await promptOf('Good morning') },
        { type: 'company1' },
        { type: 'menu2', promptId: await promptOf('your vehicle is due for') },
        { type: 'service1' },
        { type: 'menu3', promptId: await promptOf('the price will be') },
        { type: 'amount1' },
        { type: 'menu4', promptId: await promptOf('until the end of') },
        { type: 'month1' },
      ],
    },
  }
  const appointment = {
    campaignName: 'Appointments',
    templateId: 3,
    cli,
    retries: 0,
    language: 'ne',
    baseId: await baseOf(appointments, ['mobile', 'date', 'token']),
    prompts: {
      welcome: [
        { type: 'menu1', promptId: await promptOf('Your appointment is on the') },
        { type: 'date1' },
        { type: 'menu2', promptId: await promptOf('press one to take it') },
      ],
      optin: [
        { type: 'optin1', promptId: await promptOf('Your number is') },
        { type: 'token1' },
        { type: 'optin2', promptId: await promptOf('thank you') },
      ],
    },
  }
  testId = (await send<{ testId: number }>('test-call', { ...reminder, numbers: [tested], row: 3 })).testId
  keyedId = (await send<{ campaignId: number }>('compose', appointment)).campaignId
  campaignId = (await send<{ campaignId: number }>('compose', reminder)).campaignId
  const ids = [campaignId, keyedId, testId]
  const done = { status: 'complete', reason: null }
  const over = async () => expect(await Promise.all(ids.map(stateOf))).toEqual(ids.map(() => done))
  await vi.waitFor(over, polling)
})

/** A caller ID of the user's on this test's own Asterisk, whose trunk leads to its virtual operator. */
async function lineTo({ dialer, operator }: typeof own): Promise<string> {
  const { dialerId, trunkId, cli } = await newLine(app, { holders: [user], cps: 10, channels: 10 })
  const ari_secret_sealed = seal(app.config.secret, ariSecretPurpose, dialer.secret)
  const reached = { driver: 'asterisk', host: dialer.host, port: dialer.port, ari_user: dialer.user, ari_secret_sealed }
  await app.db.updateTable('dialer').set(reached).where('id', '=', dialerId).execute()
  const sip = { sip_host: operator.host, sip_port: operator.port }
  await app.db.updateTable('trunk').set(sip).where('id', '=', trunkId).execute()
  return cli
}

async function baseOf(text: string, columns: string[]): Promise<number> {
  const id = await newBase(app, user, columns)
  const file_hash = await app.files.putBytes(Buffer.from(text))
  await app.db.updateTable('base').set({ file_hash }).where('id', '=', id).execute()
  return id
}

async function promptOf(text: string): Promise<number> {
  const { wav, durationMs } = await app.tts.synthesise(text, 'en')
  const id = await newPrompt(app, user, { name: text, category: 'menu', durationMs })
  const wav_hash = await app.files.putBytes(wav)
  await app.db.updateTable('prompt').set({ wav_hash }).where('id', '=', id).execute()
  return id
}

async function send<Reply>(what: string, payload: object): Promise<Reply> {
  const url = `/api/obd/campaign/${what}`
  const reply = await http.inject({ method: 'POST', url, headers: await signedIn(app, user), payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Reply>()
}
async function get<Reply>(url: string): Promise<Reply> {
  return (await http.inject({ url: `/api/obd/${url}`, headers: await signedIn(app, user) })).json<Reply>()
}

const stateOf = (id: number) =>
  app.db.selectFrom('campaign').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
/** Calls that left: those that a busy machine could not send in time were given back, and rang nobody. */
const attemptsOf = (id: number) =>
  app.db
    .selectFrom('attempt')
    .selectAll()
    .where('campaign_id', '=', id)
    .where('disposition', '<>', 'CANCEL')
    .orderBy('phone')
    .execute()

/** What the call to this number should play: the prompts of template 7 with the sounds of its own row between them. */
async function toHear(id: number, phone: string): Promise<Buffer[]> {
  const { rows } = await app.pool.query<{ spoken: string[]; prompts: string[] }>(
    `select array_agg(s.file_hash order by u.at) as spoken, (select array_agg(part ->> 'hash' order by n) from campaign_detail d
        cross join lateral jsonb_array_elements(d.flow::jsonb -> 'opening') with ordinality as o (part, n)
        where d.campaign_id = $1 and part ->> 'kind' = 'prompt') as prompts
      from campaign_contact c join contact_speech r using (campaign_id, no) cross join lateral unnest(r.sounds) with ordinality as u (id, at)
      join speech_sound s on s.id = u.id where c.campaign_id = $1 and c.phone = $2`,
    [id, `977${phone}`],
  )
  const [{ spoken, prompts } = { spoken: [], prompts: [] }] = rows
  expect([prompts.length, spoken.length]).toEqual([4, 4])
  const hashes = prompts.flatMap((hash, index) => [hash, spoken[index] ?? ''])
  return await Promise.all(hashes.map(async (hash) => fs.readFileSync(await app.files.pathOf(hash))))
}

const heard = (phone: string): Buffer => heardBy(own.operatorCalls, phone)

test('each callee hears the prompts with the values of their own row between them, in their order', async () => {
  for (const [id, phone] of [
    [campaignId, keeps],
    [campaignId, keepsToo],
    [testId, tested],
  ] as const) {
    const sounds = await toHear(id, phone)
    const kept = heard(phone)
    const found = heardInOrder(kept, sounds)
    expect(found.filter(Boolean).length, `${phone}: ${found.join(' ')}`).toBeGreaterThanOrEqual(sounds.length / 2)
    const seconds = sounds.reduce((sum, sound) => sum + secondsOfSound(sound), 0)
    expect(secondsOfSound(kept) / seconds, phone).toBeGreaterThan(0.7)
    expect(secondsOfSound(kept) / seconds, phone).toBeLessThan(1.3)
    const [call] = (await attemptsOf(id)).filter((attempt) => String(attempt.phone).endsWith(phone))
    expect(call?.trail).toMatch(/^menu1 company1 menu2 service1 menu3 amount1 menu4 month1 /)
  }
  const [, name = Buffer.alloc(0)] = await toHear(campaignId, keepsToo)
  expect(heardInOrder(heard(keeps), [name]), 'another’s name is not taken for this one').toEqual([false])
})

test('a key is collected while values are spoken, and what follows it is heard', async () => {
  const [attempt, ...more] = await attemptsOf(keyedId)
  expect(more).toEqual([])
  expect(attempt).toMatchObject({ disposition: 'ANSWER', keys: '1', unheard: false, ended_by: 'us' })
  const { rows } = await app.pool.query<{ ms: number }>(
    'select s.duration_ms as ms from contact_speech r join speech_sound s on s.id = r.sounds[2] where r.campaign_id = $1',
    [keyedId],
  )
  expect(attempt?.bill_ms).toBeGreaterThan(2000 + (rows[0]?.ms ?? Infinity))
})

test('everything is charged by the pulse, even the test call, which is in no list or count; dialer, operator and books agree', async () => {
  const attempts = [...(await attemptsOf(campaignId)), ...(await attemptsOf(testId))]
  expect(attempts.map(({ phone }) => String(phone).slice(3))).toEqual([keeps, keepsToo, tested])
  for (const { phone, disposition, bill_ms, cost_paisa, unheard } of attempts) {
    expect({ disposition, unheard }).toEqual({ disposition: 'ANSWER', unheard: false })
    expect(cost_paisa).toBe(pulsesOf(bill_ms ?? 0, price.pulseMs) * price.pulsePaisa)
    const heardMs = (heard(String(phone).slice(3)).length - 44) / 16
    expect(Math.abs(heardMs - (bill_ms ?? 0)), `${phone} was charged ${bill_ms} ms`).toBeLessThan(skewMs)
  }
  const all = [...attempts, ...(await attemptsOf(keyedId))]
  const paid = all.reduce((sum, { cost_paisa }) => sum + (cost_paisa ?? 0), 0)
  const account = app.db.selectFrom('account').select('balance_paisa').where('id', '=', user.userId)
  expect(await account.executeTakeFirstOrThrow()).toEqual({ balance_paisa: 10_000 - paid })
  const listed = await get<{ campaignId: number; numbersUploaded: number }[]>(`campaign/${user.userId}`)
  expect(listed.map((one) => [one.campaignId, one.numbersUploaded]).toSorted()).toEqual(
    [
      [keyedId, 1],
      [campaignId, 2],
    ].toSorted(),
  )
  const { cost, calls } = await get<TestCall>(`campaign/test-call/${testId}`)
  expect(cost).toBe(rupeesOf(attempts.at(-1)?.cost_paisa ?? 0))
  expect(calls[0]?.events.at(-1)?.what).toEqual({ type: 'ended', byThem: false })
  expect(faultsOf(await checkInvariants(pool))).toEqual([])
  expect(await app.db.selectFrom('alert').selectAll().execute()).toEqual([])
})
