import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { beforeEach, expect, test } from 'vitest'
import { isStored } from '../../drivers/files/driver.ts'
import { SpeechDownError, UnspeakableError, type TtsDriver } from '../../drivers/tts/driver.ts'
import { testApp } from '../../testing/app.ts'
import { withHeader } from '../../audio/wav.ts'
import { spokenBytesMax } from '../quotas/rules.ts'
import { forgetOldSpeech, NoRoomToSpeakError, speak, type Manner } from './actions.ts'
import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import { defaultQuotas } from '@ghanti/contract/quotas.ts'

const app = await testApp()
const manner: Manner = { language: 'en', calendar: 'ad' }
const nobody = 0

/** Makes 10 ms of sound per character, and counts requests. */
class CountingTts implements TtsDriver {
  readonly name = 'counting'
  readonly key: string
  readonly atOnce = 2
  said: string[] = []
  failure: Error | null = null
  pauseMs = 5

  constructor(key: string) {
    this.key = key
  }

  async synthesise(text: string) {
    this.said.push(text)
    await new Promise((resolve) => setTimeout(resolve, this.pauseMs))
    if (this.failure) throw this.failure
    const durationMs = text.length * 10
    const samples = Int16Array.from(
      { length: durationMs * 8 },
      (_, n) => (n % 2 ? 1 : -1) * (text.length + this.said.length),
    )
    return { wav: withHeader(samples), durationMs }
  }

  async close(): Promise<void> {}
}
let keys = 0
let tts = new CountingTts('')
beforeEach(() => (tts = new CountingTts(`counting ${++keys}`)))
const deps = () => ({ db: app.db, files: app.files, tts })
const amounts = (n: number, from = 1): SpokenValue[] =>
  Array.from({ length: n }, (_, i) => ({ kind: 'amount', value: `${from + i}.00` }))
const textsOf = (items: readonly SpokenValue[]): string[] =>
  items.map(({ kind, value }) => textOf(wordsOf(kind, value, manner.language, manner.calendar)))
const rowsOfVoice = async () =>
  app.db.selectFrom('speech_sound').selectAll().where('voice', '=', `${tts.key} en`).orderBy('id').execute()

test('each distinct value is spoken once; asked again, its sound is there', async () => {
  const items = [...amounts(3), ...amounts(3)]
  const first = await speak(deps(), nobody, manner, items)
  expect(tts.said.toSorted()).toEqual(textsOf(amounts(3)).toSorted())
  expect(await speak(deps(), nobody, manner, items)).toEqual(first)
  expect(tts.said).toHaveLength(3)
  for (const sound of first) expect('hash' in sound && (await isStored(app.files, sound.hash))).toBe(true)
  expect(first[0]).toMatchObject({ words: ['one', 'rupee'], durationMs: 90, voice: 'counting' })
  expect(first[3]).toEqual(first[0])
})

test('two preparations at once make one sound of each', async () => {
  const items = amounts(32)
  const [one, other] = await Promise.all([
    speak(deps(), nobody, manner, items),
    speak(deps(), nobody, manner, items.toReversed()),
  ])
  expect(other.toReversed()).toEqual(one)
  expect(tts.said.toSorted()).toEqual(textsOf(items).toSorted())
})

test('another engine, or another version of it, makes its own', async () => {
  await speak(deps(), nobody, manner, amounts(1))
  const before = tts
  tts = new CountingTts(`counting ${++keys}`)
  await speak(deps(), nobody, manner, amounts(1))
  expect([before.said, tts.said]).toEqual([textsOf(amounts(1)), textsOf(amounts(1))])
})

test('a value without sound is refused with its reason, the others are spoken', async () => {
  const synthesise = tts.synthesise.bind(tts)
  tts.synthesise = (text) =>
    text.startsWith('two ') ? Promise.reject(new UnspeakableError('nothing is heard of it')) : synthesise(text)
  const [one, two, three] = await speak(deps(), nobody, manner, amounts(3))
  expect(two).toEqual({ refused: 'cannot be spoken: nothing is heard of it' })
  expect([one, three]).toMatchObject([{ durationMs: 90 }, { durationMs: 120 }])
})

test('a sound that is too long for its kind is refused', async () => {
  const synthesise = tts.synthesise.bind(tts)
  tts.synthesise = async (text) => ({ ...(await synthesise(text)), durationMs: 25_000 })
  expect(await speak(deps(), nobody, manner, [{ kind: 'token', value: 'A1' }])).toEqual([
    { refused: 'takes 25.0 seconds to say, at most 20 are taken' },
  ])
})

test('an engine that is down fails the whole, what it made before is kept', async () => {
  const synthesise = tts.synthesise.bind(tts)
  tts.synthesise = (text) =>
    text.startsWith('three ') ? Promise.reject(new SpeechDownError('it takes too long')) : synthesise(text)
  await expect(speak(deps(), nobody, manner, amounts(4))).rejects.toBeInstanceOf(SpeechDownError)
  expect((await rowsOfVoice()).map((row) => row.text).toSorted()).toEqual(
    textsOf(amounts(4))
      .filter((text) => !text.startsWith('three '))
      .toSorted(),
  )
  tts.synthesise = synthesise
  tts.said = []
  await speak(deps(), nobody, manner, amounts(4))
  expect(tts.said).toEqual(['three rupees'])
})

test('a sound whose file is lost is made anew under its id', async () => {
  const [before] = await speak(deps(), nobody, manner, amounts(1))
  if (!before || !('hash' in before)) throw new Error('not spoken')
  await app.files.remove(before.hash)
  const [after] = await speak(deps(), nobody, manner, amounts(1))
  expect(after).toMatchObject({ id: before.id })
  expect(after && 'hash' in after && (await isStored(app.files, after.hash))).toBe(true)
})

test('housekeeping takes what no campaign has needed for a month, with its file, and nothing else', async () => {
  const [old, kept] = await speak(deps(), nobody, manner, amounts(2, 500))
  if (!old || !kept || !('hash' in old) || !('hash' in kept)) throw new Error('not spoken')
  const monthAgo = new Date(app.clock.now().getTime() - 31 * 24 * 3600_000)
  await app.db.updateTable('speech_sound').set({ needed_until: monthAgo }).where('id', '=', old.id).execute()
  await forgetOldSpeech(app)
  expect((await rowsOfVoice()).map((row) => row.id)).toEqual([kept.id])
  expect(await Promise.all([old, kept].map((sound) => isStored(app.files, sound.hash)))).toEqual([false, true])
})

test('a file that is asked for again is kept a day longer', async () => {
  const [sound] = await speak(deps(), nobody, manner, amounts(1, 700))
  if (!sound || !('id' in sound)) throw new Error('not spoken')
  await app.db
    .updateTable('speech_sound')
    .set({ needed_until: new Date(0) })
    .where('id', '=', sound.id)
    .execute()
  await speak(deps(), nobody, manner, amounts(1, 700))
  const [row] = await rowsOfVoice()
  expect(row?.needed_until.getTime()).toBeGreaterThan(Date.now() + 20 * 3600_000)
})

/** One sound as long as all that an account may have; returns its id. */
async function usedUp(ownerId: number, neededUntil: Date): Promise<number> {
  const duration_ms = Math.ceil(spokenBytesMax(defaultQuotas) / 16)
  const sound = { voice: `all ${ownerId}`, text: 'all', file_hash: '0'.repeat(64), duration_ms, made_for: ownerId }
  const stored = app.db.insertInto('speech_sound').values({ ...sound, needed_until: neededUntil })
  return (await stored.returning('id').executeTakeFirstOrThrow()).id
}
const tomorrow = new Date(Date.now() + 24 * 3600_000)

test('what is spoken for an account ends at twenty times its storage: nothing more is made for it, and others go on', async () => {
  const [flooding, other] = [9001, 9002]
  await speak(deps(), other, manner, amounts(2))
  await usedUp(flooding, tomorrow)
  await expect(speak(deps(), flooding, manner, amounts(3))).rejects.toThrow(
    'cannot be spoken: the 10,000 MB of speech that this account may have are used; what no campaign needs any more makes room',
  )
  await expect(speak(deps(), flooding, manner, amounts(3))).rejects.toBeInstanceOf(NoRoomToSpeakError)
  expect(tts.said, 'nothing is made in vain').toHaveLength(2)
  expect(await speak(deps(), flooding, manner, amounts(2)), 'what is there costs nothing').toMatchObject([{}, {}])
  expect(await speak(deps(), other, manner, amounts(3))).toMatchObject([{}, {}, {}])
  expect(await speak(deps(), flooding, manner, amounts(3)), 'also when another had it made').toMatchObject([{}, {}, {}])
})

test('where an account has no room, values that no campaign needs any more give way at once', async () => {
  const owner = 9003
  const old = await usedUp(owner, new Date(Date.now() - 1000))
  expect(await speak(deps(), owner, manner, amounts(1))).toMatchObject([{ voice: 'counting' }])
  expect(await app.db.selectFrom('speech_sound').select('id').where('id', '=', old).execute()).toEqual([])
})

test('the engine that comes with the product says every kind in both languages', async () => {
  const items: SpokenValue[] = [
    { kind: 'amount', value: '1234567.50' },
    { kind: 'date', value: '2026-11-22' },
    { kind: 'month', value: '5' },
    { kind: 'token', value: 'AB12' },
    { kind: 'name', value: 'राम बहादुर' },
    { kind: 'service', value: 'Car Wash' },
  ]
  for (const language of ['ne', 'en'] as const) {
    const spoken = await speak(app, nobody, { language, calendar: 'bs' }, items)
    for (const [index, sound] of spoken.entries())
      expect(sound, items[index]?.kind).toMatchObject({ voice: 'espeak-ng', durationMs: expect.any(Number) })
  }
})
