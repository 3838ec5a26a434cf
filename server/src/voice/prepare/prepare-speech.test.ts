import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Flow, longestMs, partsOf, withSpokenMs } from '@ghanti/callflow/flow.ts'
import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'
import * as fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { testFiles } from '../../testing/files/test-files.ts'
import { SpeechDownError, UnspeakableError } from '../../drivers/tts/driver.ts'
import { spokenBytesMax } from '../../modules/quotas/rules.ts'
import { reservePaisa } from '../../modules/voice-compose/rules-estimate.ts'
import { HummingTts } from '../../testing/tts.ts'
import { costPaisa } from '../model/calls/plan.ts'
import { prepareCampaign, type PrepareDeps } from './prepare.ts'
import { SoundFault } from '../dialer/audio/speech-cache.ts'
import { newCampaign, newFixtures, threeLevels } from '../testing/fixtures.ts'
import { engineDb } from '../testing/db.ts'
import { flowsOver } from '../testing/engine.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-speech-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const at = await engineDb()
const fixtures = await newFixtures(at)
const { lease } = fixtures
const files = testFiles(folder)
const flowOf = await flowsOver(files)
const speech = { language: 'en', calendar: 'ad' } as const
const never = new AbortController().signal
let keys = 0
let tts = new HummingTts()
beforeEach(() => (tts = new HummingTts(`humming ${++keys}`)))
const deps = (): PrepareDeps => ({
  pool: at.engine,
  files,
  speech: { db: at.db, files, tts },
  clock: systemClock,
  log: pino({ level: 'silent' }),
  reportEveryMs: 0,
})
const [level] = threeLevels
if (!level) throw new Error('no price')
const price = level

/** An insurance reminder over this file, as after compose. */
async function composed(text: string, templateId = 6): Promise<number> {
  const flow = flowOf(templateId, { speech })
  const reserve = reservePaisa(flow, price)
  const id = await newCampaign(at, {
    user: fixtures.user,
    line: fixtures.line,
    phones: [],
    status: 'processing',
    flow,
    reservePaisa: reserve,
  })
  const hash = await files.putBytes(Buffer.from(text))
  const of = 'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1'
  await at.pool.query(of, [id, hash])
  return id
}
const prepare = (id: number, more: Partial<PrepareDeps> = {}, signal = never) =>
  prepareCampaign({ ...deps(), ...more }, lease, id, signal)
const all = async (sql: string, id: number): Promise<Record<string, unknown>[]> => (await at.pool.query(sql, [id])).rows
const campaignOf = (id: number) => all('select status, reason, uploaded, reserve_paisa from campaign where id = $1', id)
const saidOf = async (id: number) =>
  (
    await all(
      `select c.phone - 9770000000000 as phone, c.state, c.follower_no, (select array_agg(s.text order by u.at) from contact_speech r
        cross join lateral unnest(r.sounds) with ordinality u (id, at) join speech_sound s on s.id = u.id
        where (r.campaign_id, r.no) = (c.campaign_id, c.no)) as said from campaign_contact c where c.campaign_id = $1 order by c.no`,
      id,
    )
  ).map(({ phone, state, follower_no, said }) => [phone, state, follower_no, said])
const refusedOf = (id: number) =>
  all(
    `select line, text, reason from campaign_refused where campaign_id = $1
     union all select line, text, reason from base_refused join campaign_detail using (base_id) where campaign_id = $1 order by line`,
    id,
  )
const amount = (value: string) => textOf(wordsOf('amount', value, 'en', 'ad'))
const date = (value: string) => textOf(wordsOf('date', value, 'en', 'ad'))

test('each row gets the sounds of its own values, equal ones share theirs, and the longest bounds what a call reserves', async () => {
  const id = await composed(
    'mobile,date,amount\n9841000001,2026-11-22,100\n9841000002,22/11/2026,१००.००\n9841000003,2026-11-23,2500000\n',
  )
  expect(await prepare(id)).toMatchObject({ kind: 'prepared', status: 'ready', uploaded: 3 })
  expect(await saidOf(id)).toEqual([
    [9841000001, 'fresh', null, [amount('100.00'), date('2026-11-22')]],
    [9841000002, 'fresh', null, [amount('100.00'), date('2026-11-22')]],
    [9841000003, 'fresh', null, [amount('2500000.00'), date('2026-11-23')]],
  ])
  expect(tts.said.toSorted()).toEqual(
    [amount('100.00'), amount('2500000.00'), date('2026-11-22'), date('2026-11-23')].toSorted(),
  )
  const [{ flow: stored } = {}] = await all('select flow from campaign_detail where campaign_id = $1', id)
  const flow = Flow.parse(stored)
  const spoken = partsOf(flow).flatMap((part) => (part.kind === 'spoken' ? [[part.type, part.durationMs]] : []))
  const longest = (texts: string[]) => Math.max(...texts.map((text) => text.length * 10))
  expect(spoken).toEqual([
    ['amount1', longest([amount('100.00'), amount('2500000.00')])],
    ['date1', longest([date('2026-11-22'), date('2026-11-23')])],
  ])
  expect(await campaignOf(id)).toMatchObject([{ reserve_paisa: reservePaisa(flow, price) }])
  expect(reservePaisa(flow, price)).toBeLessThan(reservePaisa(flowOf(6, { speech }), price))
})

test('no row’s longest path costs more than what its call reserves', () => {
  const ms = fc.integer({ min: 1, max: 15_000 })
  fc.assert(
    fc.property(
      fc.constantFrom(3, 4, 5, 6, 7),
      fc.array(fc.tuple(ms, ms, ms, ms), { minLength: 1, maxLength: 20 }),
      fc.constantFrom(1000, 10_000, 15_000, 30_000, 60_000),
      (templateId, rows, pulseMs) => {
        const flow = flowOf(templateId, { speech })
        const most = flow.spoken.map((_, column) => Math.max(...rows.map((row) => row[column] ?? 0)))
        const reserved = reservePaisa(withSpokenMs(flow, most), { pulseMs, pulsePaisa: 40 })
        for (const row of rows) {
          const mine = longestMs(withSpokenMs(flow, row))
          expect(costPaisa({ pulseMs, pulsePaisa: 40 }, mine - 250, null)).toBeLessThanOrEqual(reserved)
        }
      },
    ),
  )
})

test('a value that has no sound, or a too long one, refuses its row; the next row of that number moves up', async () => {
  tts.before = (text) => {
    if (text === amount('13.00')) throw new UnspeakableError('nothing is heard of it')
  }
  tts.durationOf = (text) => (text === amount('14.00') ? 16_000 : 900)
  const lines = ['9841000011,13', '9841000011,15', '9841000012,14', '9841000013,16', '9841000011,17']
  const id = await composed(`mobile,amount,date\n${lines.map((line) => `${line},2026-11-22\n`).join('')}`)
  expect(await prepare(id)).toMatchObject({ kind: 'prepared', uploaded: 3 })
  const asked = tts.said.filter((text) => text === amount('13.00'))
  expect(asked, 'the import holds a transaction: it does not wait for the engine again').toHaveLength(1)
  expect(
    (await saidOf(id)).map(([phone, , follower, said]) => [phone, follower, Array.isArray(said) && said[0]]),
  ).toEqual([
    [9841000011, 2, amount('15.00')],
    [9841000013, null, amount('16.00')],
    [9841000011, null, amount('17.00')],
  ])
  expect(await refusedOf(id)).toEqual([
    { line: 2, text: '9841000011,13,2026-11-22', reason: 'amount cannot be spoken: nothing is heard of it' },
    { line: 4, text: '9841000012,14,2026-11-22', reason: 'amount takes 16.0 seconds to say, at most 15 are taken' },
  ])
  expect(await all('select rows_in_file, invalid, duplicate from campaign_detail where campaign_id = $1', id)).toEqual([
    { rows_in_file: 5, invalid: 2, duplicate: 0 },
  ])
})

test('an engine that is down: the campaign says why and waits; what was spoken is not spoken again', async () => {
  tts.before = (text) => {
    if (text === amount('22.00')) throw new SpeechDownError('it takes too long')
  }
  const id = await composed('9841000021,21,2026-11-22\n9841000022,22,2026-11-22\n')
  expect(await prepare(id)).toMatchObject({ kind: 'later' })
  const [{ status, reason } = {}] = await campaignOf(id)
  expect(status).toBe('processing')
  expect(reason).toMatch(/^the speech engine does not answer: it takes too long; it will be tried again at \d\d:\d\d/)
  expect(await saidOf(id)).toEqual([])
  tts.before = () => {}
  tts.said = []
  expect(await prepare(id)).toMatchObject({ kind: 'prepared', uploaded: 2 })
  expect(tts.said).toEqual([amount('22.00')])
})

test('a campaign whose owner may have no more speech is refused in words, and not tried again', async () => {
  const sound = { voice: 'all', text: 'all', file_hash: '0'.repeat(64), made_for: fixtures.user.userId }
  const duration_ms = spokenBytesMax(defaultQuotas) / 16
  const needed_until = new Date(Date.now() + 24 * 3600_000)
  await at.db
    .insertInto('speech_sound')
    .values({ ...sound, duration_ms, needed_until })
    .execute()
  const id = await composed('9841000081,81,2026-11-22\n')
  expect(await prepare(id)).toMatchObject({ kind: 'prepared', status: 'refused', uploaded: 0 })
  expect(tts.said).toEqual([])
  const reason =
    'its values cannot be spoken: the 10,000 MB of speech that this account may have are used; what no campaign needs any more makes room'
  expect(await campaignOf(id)).toMatchObject([{ status: 'refused', reason }])
  await at.db.deleteFrom('speech_sound').where('voice', '=', 'all').execute()
})

test('the longer the engine is down the longer the next try waits, ten minutes at most; a dialer’s fault has waits of its own', async () => {
  tts.before = () => {
    throw new SpeechDownError('it takes too long')
  }
  const id = await composed('9841000061,61,2026-11-22\n')
  const waits = [0, 1, 3, 20].map((failures) => prepare(id, { failures }))
  expect(await Promise.all(waits)).toEqual(
    [15_000, 30_000, 120_000, 600_000].map((waitMs) => ({ kind: 'later', waitMs })),
  )
  tts.before = () => {}
  const bring = () => Promise.reject(new SoundFault('gone'))
  expect(await prepare(id, { failures: 20, bring })).toEqual({ kind: 'later', waitMs: 15_000 })
})

test('an engine that stays down is an alert for whoever runs the platform, which clears itself when it speaks again', async () => {
  const open = async () =>
    (await at.pool.query("select subject, detail from alert where kind = 'speech_down' and cleared_at is null")).rows
  await at.pool.query('delete from alert')
  tts.before = () => {
    throw new SpeechDownError('it answers 503')
  }
  const id = await composed('9841000071,71,2026-11-22\n')
  for (const failures of [0, 1]) await prepare(id, { failures })
  expect(await open(), 'a moment is no alert').toEqual([])
  for (const failures of [2, 3]) await prepare(id, { failures })
  expect(await open()).toEqual([{ subject: 'speech engine', detail: 'it answers 503' }])
  tts.before = () => {}
  expect(await prepare(id, { failures: 4 })).toMatchObject({ kind: 'prepared' })
  expect(await open()).toEqual([])
})

test('progress of the speech is reported, and a stop in the middle leaves only what was spoken', async () => {
  const id = await composed(Array.from({ length: 100 }, (_, n) => `98410${31_000 + n},${n + 1},2026-11-22\n`).join(''))
  const reasons: unknown[] = []
  tts.before = async () => {
    const isTime = tts.said.length === 70
    await sleep(1)
    const [{ reason } = {}] = await campaignOf(id)
    if (reason !== reasons.at(-1)) reasons.push(reason)
    if (isTime) await at.pool.query("update campaign set status = 'cancelling' where id = $1", [id])
  }
  expect(await prepare(id)).toEqual({ kind: 'stopped' })
  expect(reasons).toContain('making speech: 0 of 101')
  expect(reasons.some((reason) => /^making speech: [1-9]\d* of 101$/.test(String(reason)))).toBe(true)
  expect([...(await saidOf(id)), ...(await refusedOf(id))]).toEqual([])
  await at.pool.query("update campaign set status = 'processing' where id = $1", [id])
  tts.before = () => {}
  expect(await prepare(id)).toMatchObject({ kind: 'prepared', uploaded: 100 })
  expect(new Set(tts.said).size).toBe(tts.said.length)
})

test('a sound that the dialer cannot play is named, and no row is stored before it can', async () => {
  const id = await composed('9841000041,41,2026-11-22\n')
  const fault = new SoundFault('prompt ‘forty-one rupees’ cannot be played on dialer D: gone')
  expect(await prepare(id, { bring: () => Promise.reject(fault) })).toMatchObject({ kind: 'later' })
  expect(await campaignOf(id)).toMatchObject([{ status: 'processing', reason: fault.message }])
  const brought: string[] = []
  const bring: PrepareDeps['bring'] = async (sounds) => void brought.push(...sounds.map((sound) => String(sound.of)))
  expect(await prepare(id, { bring })).toMatchObject({ kind: 'prepared' })
  expect(brought.toSorted()).toEqual([amount('41.00'), date('2026-11-22')].toSorted())
})

test('a row that is blacklisted now has its sounds, since it may not be when its turn comes; sounds are kept as long as the campaign may dial', async () => {
  const [{ id: mint } = {}] = (await at.pool.query("select id from account where kind = 'mint'")).rows
  await at.pool.query('insert into blacklist (phone, owner_id) values (9779841000051, $1)', [mint])
  const id = await composed('9841000051,51,2026-11-22\n9841000052,52,2026-11-22\n')
  await prepare(id)
  expect(await saidOf(id)).toEqual([
    [9841000051, 'fresh', null, [amount('51.00'), date('2026-11-22')]],
    [9841000052, 'fresh', null, [amount('52.00'), date('2026-11-22')]],
  ])
  const kept = await all(
    `select bool_and(s.needed_until >= c.dial_until) as kept from campaign c, contact_speech r, speech_sound s
    where c.id = $1 and r.campaign_id = c.id and s.id = any (r.sounds)`,
    id,
  )
  expect(kept).toEqual([{ kept: true }])
})
