import { expect, onTestFinished, test } from 'vitest'
import { SpeechDownError } from '../../../drivers/tts/driver.ts'
import { HummingTts } from '../../../testing/tts.ts'
import { allProven } from '../../model/campaigns/claim.sql.ts'
import { expectSoundBooks, newCampaign, newFixtures, numbersEnding, type Fixtures } from '../../testing/fixtures.ts'
import { dialling, instead, poolWith } from '../../testing/engine.ts'
import { longPulses as prices, tenDates } from '../../testing/speech.ts'

/** engine-prompts.test.ts has a campaign that waits for its sounds. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 40, timeScale: 0.001 })
const speech = { db: at.db, files: at.files, tts: new HummingTts() }

test('sounds that are lost before calls need them are spoken again; while they cannot be, the campaign is held and says why', async () => {
  const { id } = await tenDates(at, { startAt: new Date(Date.now() + 3600_000), rePrompts: 0 })
  const engine = at.start({ speech })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  await at.status(id, 'ready')
  const said = await at.db.selectFrom('speech_sound').select('file_hash').execute()
  for (const { file_hash } of said) await at.files.remove(file_hash)
  speech.tts.before = () => {
    throw new SpeechDownError('it takes too long')
  }
  onTestFinished(() => void (speech.tts.before = () => {}))
  await at.db.updateTable('campaign').set({ start_at: new Date() }).where('id', '=', id).execute()
  await at.status(id, 'onHold')
  const { reason } = await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()
  expect(reason).toMatch(
    /^prompt ‘.+’ cannot be played on dialer .+: its sound is lost: the speech engine does not answer: it takes too long; it will be tried again (at|as soon)/,
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

/** `tooFar`: claims include rows whose sounds are not proven. */
test.each([
  { what: 'are not claimed', tooFar: false },
  { what: 'are given back when a claim took them', tooFar: true },
])(
  'a dialer that lacks some of the sounds dials the rows whose sounds it has; the others $what',
  async ({ tooFar }) => {
    const { id, fixtures } = await tenDates(at, { startAt: new Date(Date.now() + 3600_000), rePrompts: 0 })
    const first = at.start({ speech })
    await at.status(id, 'ready')
    await first.stop({ drainMs: 0 })
    const { rows } = await at.pool.query<{ file_hash: string }>(
      'select s.file_hash from contact_speech r join speech_sound s on s.id = r.sounds[1] where campaign_id = $1 and no >= 5',
      [id],
    )
    const lacking = new Set(rows.map((row) => row.file_hash))
    let isComplete = false
    const driver = instead(at.simulator, (connection, { port }) => ({
      prefetch: async (media) => {
        const isFaulty = ({ hash }: { hash: string }): boolean => !isComplete && lacking.has(hash)
        if (port !== 20_000 + fixtures.line.dialerId) return connection.prefetch(media)
        const failed = media.filter(isFaulty).map(({ hash }) => ({ hash, reason: 'it is on its way' }))
        return { failed: [...(await connection.prefetch(media.filter((one) => !isFaulty(one)))).failed, ...failed] }
      },
    }))
    let isLoose = tooFar
    const { freshTo, queueTo } = allProven
    const pool = poolWith(at, 'claim', (send, values) => {
      if (isLoose) values.splice(10, 3, freshTo, queueTo.dueUs, queueTo.rowNo)
      return send()
    })
    const second = at.start({ engineId: 'second', speech, telephony: [driver], pool })
    onTestFinished(() => second.stop({ drainMs: 0 }))
    await at.db.updateTable('campaign').set({ start_at: new Date() }).where('id', '=', id).execute()
    const attempts = async () =>
      at.db.selectFrom('attempt').select(['no', 'disposition', 'unheard']).where('campaign_id', '=', id).execute()
    const answered = async () => (await attempts()).filter((one) => one.disposition === 'ANSWER')
    while ((await answered()).length < 5) await at.tick(() => true)
    if (tooFar) while ((await attempts()).every((one) => one.disposition === 'ANSWER')) await at.tick(() => true)
    isLoose = false
    await at.status(id, 'onHold')
    expect((await answered()).map((one) => one.no).toSorted()).toEqual([0, 1, 2, 3, 4])
    const { reason } = await at.db
      .selectFrom('campaign')
      .select('reason')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(reason).toMatch(
      /^prompt ‘.+’ cannot be played on dialer .+: it is on its way; it will be tried again (at|as soon)/,
    )
    isComplete = true
    await at.status(id, 'complete')
    const all = await attempts()
    expect(
      all
        .filter((one) => one.disposition === 'ANSWER')
        .map((one) => one.no)
        .toSorted(),
    ).toEqual(Array.from({ length: 10 }, (_, no) => no))
    expect(all.filter((one) => one.unheard)).toEqual([])
    const backs = all.filter((one) => one.disposition !== 'ANSWER')
    expect(backs.every((one) => one.disposition === 'CANCEL' && one.no >= 5)).toBe(true)
    expect(backs.length > 0).toBe(tooFar)
    await expectSoundBooks(at)
  },
)

test('while the dialer lacks the sounds of one operator’s rows, those of another are called; then all are', async () => {
  const { id, fixtures } = await tenDates(at, {
    startAt: new Date(Date.now() + 3600_000),
    rePrompts: 0,
    byOperator: true,
  })
  const first = at.start({ speech })
  await at.status(id, 'ready')
  await first.stop({ drainMs: 0 })
  const { rows } = await at.pool.query<{ file_hash: string }>(
    'select s.file_hash from contact_speech r join speech_sound s on s.id = r.sounds[1] where campaign_id = $1 and no < 5',
    [id],
  )
  const lacking = new Set(rows.map((row) => row.file_hash))
  let isComplete = false
  const driver = instead(at.simulator, (connection, { port }) => ({
    prefetch: async (media) => {
      const isFaulty = ({ hash }: { hash: string }): boolean => !isComplete && lacking.has(hash)
      if (port !== 20_000 + fixtures.line.dialerId) return connection.prefetch(media)
      const failed = media.filter(isFaulty).map(({ hash }) => ({ hash, reason: 'it is on its way' }))
      return { failed: [...(await connection.prefetch(media.filter((one) => !isFaulty(one)))).failed, ...failed] }
    },
  }))
  const second = at.start({ engineId: 'second', speech, telephony: [driver] })
  onTestFinished(() => second.stop({ drainMs: 0 }))
  await at.db.updateTable('campaign').set({ start_at: new Date() }).where('id', '=', id).execute()
  const answered = async () =>
    (
      await at.db
        .selectFrom('attempt')
        .select('operator')
        .where('campaign_id', '=', id)
        .where('disposition', '=', 'ANSWER')
        .execute()
    ).map(({ operator }) => operator)
  while ((await answered()).length < 5) await at.tick(() => true)
  await at.status(id, 'onHold')
  expect(await answered()).toEqual([2, 2, 2, 2, 2])
  isComplete = true
  await at.status(id, 'complete')
  expect((await answered()).toSorted()).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
  await expectSoundBooks(at)
})

/** A finished campaign whose rows all speak this sound. */
async function saying(fixtures: Fixtures, of: { phones: number[]; soundId: number }): Promise<number> {
  const { user, line } = fixtures
  const { phones, soundId } = of
  const flow = at.flow(4, { speech: { language: 'en', calendar: 'ad' } })
  const id = await newCampaign(at, { user, line, phones, prices, status: 'complete', flow, reservePaisa: 1 })
  await at.pool.query(
    'insert into contact_speech (campaign_id, no, sounds) select campaign_id, no, array[$2::int] from campaign_contact where campaign_id = $1',
    [id, soundId],
  )
  return id
}

/** Nobody was reached, long ago, and a retry was requested. */
async function retried(fixtures: Fixtures, of: { phones: number[]; soundId: number }): Promise<number> {
  const id = await saying(fixtures, of)
  await at.pool.query("update campaign_contact set state = 'done', disposition = 'BUSY' where campaign_id = $1", [id])
  await at.pool.query('update campaign_count set fresh = 0, done = fresh where campaign_id = $1', [id])
  const fresh_next = of.phones.length
  const running = { status: 'running', fresh_next, is_retry: true, retry_requested: true } as const
  await at.db.updateTable('campaign').set(running).where('id', '=', id).execute()
  return id
}

/** Its last day is past. */
async function soundOf(text: string): Promise<number> {
  const file_hash = await at.files.putBytes(Buffer.from(text))
  const { id } = await at.db
    .insertInto('speech_sound')
    .values({ voice: 'v', text, file_hash, duration_ms: 1, needed_until: new Date(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test(
  'while the sounds of some campaigns are being looked after, another one dials and says its own; then they dial too',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at)
    const [theirs, its] = [await soundOf('one'), await soundOf('two')]
    const somebody = await at.pool.connect()
    onTestFinished(() => somebody.release(true))
    await somebody.query('begin')
    const locked = 'select pg_backend_pid() as pid from speech_sound where id = $1 for update'
    const pid = (await somebody.query<{ pid: number }>(locked, [theirs])).rows[0]?.pid
    const slow = [50, 51, 52].map((ending) =>
      retried(fixtures, { phones: numbersEnding([String(ending)], 2), soundId: theirs }),
    )
    const ids = await Promise.all(slow)
    const engine = at.start({ speech })
    onTestFinished(() => engine.stop({ drainMs: 0 }))
    const waitingForHim = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))'
    const isWaiting = async () => (await at.pool.query(waitingForHim, [pid])).rowCount !== 0
    while (!(await isWaiting())) await at.tick(() => true)
    const other = await saying(fixtures, { phones: numbersEnding(['53'], 2), soundId: its })
    await at.db.updateTable('campaign').set({ status: 'running' }).where('id', '=', other).execute()
    await at.status(other, 'complete')
    expect(await isWaiting()).toBe(true)
    expect(await at.db.selectFrom('attempt').select('id').where('campaign_id', 'in', ids).execute()).toEqual([])
    await somebody.query('rollback')
    for (const id of ids) await at.status(id, 'complete')
    const sound = await at.db.selectFrom('speech_sound').selectAll().where('id', '=', theirs).executeTakeFirstOrThrow()
    expect(sound.needed_until.getTime()).toBeGreaterThan(Date.now())
    const calls = await at.db
      .selectFrom('attempt')
      .select(['disposition', 'unheard'])
      .where('campaign_id', 'in', [...ids, other])
      .execute()
    expect(calls).toEqual(Array.from({ length: 8 }, () => ({ disposition: 'ANSWER', unheard: false })))
  },
)

test('a retry whose values have no sound any more, a month after, fails with the reason; nobody is called', async () => {
  const forgotten = 2_000_000_000
  const id = await retried(await newFixtures(at), { phones: [9779851000000, 9779851100000], soundId: forgotten })
  const engine = at.start({ speech })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  await at.status(id, 'failed')
  const { reason } = await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()
  expect(reason).toBe('the sound of 1 spoken value is not kept any more: compose it again')
  for (const table of ['attempt', 'attempt_open'] as const)
    expect(await at.db.selectFrom(table).select('id').where('campaign_id', '=', id).execute()).toEqual([])
})
