import { partsOf } from '@ghanti/callflow/flow.ts'
import { expect, onTestFinished, test } from 'vitest'
import { SpeechDownError } from '../drivers/tts/driver.ts'
import { HummingTts } from '../testing/tts.ts'
import { expectSoundBooks, newCampaign, newWorld } from './testing.ts'
import { dialling } from './testing-engine.ts'

const at = await dialling({ speed: 5, timeScale: 0.001 })
const speech = { db: at.db, files: at.files, tts: new HummingTts() }
const price = { pulseMs: 600_000, pulsePaisa: 1 }

/** Ten rows that each say another date. */
async function composed(of: string, startAt?: Date) {
  const world = await newWorld(at, { cps: 100, channels: 50 })
  const [user = world.top] = world.users
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' }, rePrompts: 2 })
  const prices = [price, price, price]
  const processing = {
    user,
    line: world.line,
    phones: [],
    status: 'processing',
    flow,
    prices,
    reservePaisa: 1,
  } as const
  const id = await newCampaign(at, startAt ? { ...processing, startAt } : processing)
  const file = Array.from({ length: 10 }, (_, n) => `985100${n}000,2026-11-1${n}\n`).join('')
  await at.pool.query(
    'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
    [id, await at.files.putBytes(Buffer.from(`${file}${of}\n`))],
  )
  return { world, flow, id }
}

test('an engine that comes in the middle of calls says what their rows say; none goes unheard', async () => {
  const { world, flow, id } = await composed('a')
  const first = at.start({ speech })
  const answered = async () => (await at.db.selectFrom('attempt_step').select('attempt_id').execute()).length
  while ((await answered()) < 10) await at.tick(() => true)
  await first.stop({ drainMs: 0 })
  const open = await at.db.selectFrom('attempt_open').select('id').execute()
  expect(open.length).toBeGreaterThan(0)
  const prefix = (await at.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id
  const second = at.start({ engineId: 'second', speech })
  await at.status(id, 'complete')
  const { host, port } = await at.db
    .selectFrom('dialer')
    .select(['host', 'port'])
    .where('id', '=', world.line.dialerId)
    .executeTakeFirstOrThrow()
  const prompts = new Set(partsOf(flow).flatMap((part) => (part.kind === 'prompt' ? [part.hash] : [])))
  const { rows } = await at.pool.query<{ id: number; epoch: number; unheard: boolean; said: string }>(
    `select a.id, a.epoch, a.unheard, s.file_hash as said from attempt a join contact_speech r using (campaign_id, no)
    join speech_sound s on s.id = r.sounds[1] where campaign_id = $1`,
    [id],
  )
  expect(rows).toHaveLength(10)
  for (const { epoch, unheard, said, ...attempt } of rows) {
    const transcript = await at.simulator.control({ host, port }).transcript(`${prefix}-${epoch}-${attempt.id}-c`)
    const heard = transcript.flatMap((line) => (line.what === 'heard' ? [line.detail] : []))
    expect(unheard).toBe(false)
    // its own value and no other's, the last time too
    expect(new Set(heard.filter((hash) => !prompts.has(hash)))).toEqual(new Set([said]))
    expect(heard.at(-2)).toBe(said)
  }
  await second.stop({ drainMs: 0 })
  await expectSoundBooks(at)
})

test('sounds that are lost before calls need them are spoken again; while they cannot be, the campaign is held and says why', async () => {
  const { id } = await composed('b', new Date(Date.now() + 3600_000))
  const engine = at.start({ speech })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  await at.status(id, 'ready')
  const said = await at.db.selectFrom('speech_sound').select('file_hash').execute()
  for (const { file_hash } of said) await at.files.remove(file_hash)
  speech.tts.before = () => {
    throw new SpeechDownError('it takes too long')
  }
  await at.db.updateTable('campaign').set({ start_at: new Date() }).where('id', '=', id).execute()
  await at.status(id, 'onHold')
  const { reason } = await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()
  expect(reason).toMatch(
    /^prompt ‘.+’ cannot be played on dialer .+: its sound is lost: the speech engine does not answer: it takes too long; it will be tried again at/,
  )
  speech.tts.before = () => {}
  await at.status(id, 'complete')
  const attempts = await at.db
    .selectFrom('attempt')
    .select(['disposition', 'unheard'])
    .where('campaign_id', '=', id)
    .execute()
  expect(attempts).toEqual(Array.from({ length: 10 }, () => ({ disposition: 'ANSWER', unheard: false })))
  await expectSoundBooks(at)
})

test('a retry whose values have no sound any more, a month after, fails with the reason; nobody is called', async () => {
  const world = await newWorld(at)
  const [user = world.top] = world.users
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' } })
  const phones = [9779851000000, 9779851100000]
  const id = await newCampaign(at, { user, line: world.line, phones, status: 'complete', flow, reservePaisa: 1 })
  const forgotten = 2_000_000_000
  await at.pool.query(
    'insert into contact_speech (campaign_id, no, sounds) select campaign_id, no, array[$2::int] from campaign_contact where campaign_id = $1',
    [id, forgotten],
  )
  await at.pool.query("update campaign_contact set state = 'done', disposition = 'BUSY' where campaign_id = $1", [id])
  await at.pool.query('update campaign_count set fresh = 0, done = fresh where campaign_id = $1', [id])
  const retried = { status: 'running', fresh_next: phones.length, is_retry: true, retry_requested: true } as const
  await at.db.updateTable('campaign').set(retried).where('id', '=', id).execute()
  const engine = at.start({ speech })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  await at.status(id, 'failed')
  const { reason } = await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()
  expect(reason).toBe('the sound of 1 spoken value is not kept any more: compose it again')
  for (const table of ['attempt', 'attempt_open'] as const)
    expect(await at.db.selectFrom(table).select('id').where('campaign_id', '=', id).execute()).toEqual([])
})
