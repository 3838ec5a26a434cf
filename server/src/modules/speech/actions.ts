import { setTimeout as sleep } from 'node:timers/promises'
import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import { spokenMsMax, textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { languages, type Calendar, type Language, type SpokenKind } from '@ghanti/contract/templates.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isStored, type FilesDriver } from '../../drivers/files/driver.ts'
import { SpeechDownError, UnspeakableError, type Speech, type TtsDriver } from '../../drivers/tts/driver.ts'
import { forgetFile, keepFiles, withFiles } from '../files/actions.ts'
import { spokenBytesMax } from '../quotas/rules.ts'
import { settingOf } from '../platform/actions.ts'
import { nameOfPack, nearestPack, openPack, type NearestPack } from '../voices/actions.ts'
import { packOfKey } from '../voices/rules.ts'
import { noRoomToSpeak } from './rules.ts'
import * as store from './store.ts'

/** Connections are used briefly, except the one that holds the locks of what is being made. */
export type SpeechDeps = { db: Db; files: FilesDriver; tts: TtsDriver }

export type Manner = { language: Language; calendar: Calendar }

type SpokenSound = { id: number; hash: string; durationMs: number; words: string[]; voice: string }
/** `refused` continues a sentence after the column's name. */
export type Spoken = SpokenSound | { refused: string }

/**
 * How many values one call of `speak` accepts.
 * @public
 */
export const speakAtOnceMax = 32
/** How often to check for a value that another process is making. */
const lookAgainMs = 100
const keptDays = 30
const dayMs = 24 * 3600_000
const batch = 100
/** As many as take a second or two to remove. */
const madeRoomOf = 1000

/** The account has no room for more of these sounds. `message` continues a sentence after what is to be said. */
export class NoRoomToSpeakError extends Error {
  override readonly name = 'NoRoomToSpeakError'
}

/** `key` identifies a voice; sounds made under another key are not reused. */
type Voice = {
  source: 'pack' | 'engine'
  name: string
  packId: number | null
  key: string
  make(words: readonly string[]): Promise<Speech>
}

/** The nearest recorded pack that has every word of this kind, else the speech engine. */
export async function voiceOf(
  deps: SpeechDeps,
  ownerId: number,
  { language, calendar }: Manner,
  kind: SpokenKind,
): Promise<Voice> {
  const pack = await nearestPack(deps.db, ownerId, { language, kind, calendar })
  return pack ? packVoice(deps, pack) : engineVoice(deps.tts, language)
}

function packVoice(deps: SpeechDeps, pack: NearestPack): Voice {
  return { source: 'pack', name: pack.name, packId: pack.packId, key: pack.key, make: recorded(deps, pack) }
}

const engineKey = (tts: TtsDriver, language: Language): string => `${tts.key} ${language}`

function engineVoice(tts: TtsDriver, language: Language): Voice {
  return {
    source: 'engine',
    name: tts.name,
    packId: null,
    key: engineKey(tts, language),
    make: (words) => tts.synthesise(textOf(words), language),
  }
}

/** Reads the pack when the first value is made, because most exist already. */
function recorded(deps: SpeechDeps, pack: NearestPack): Voice['make'] {
  let opened: ReturnType<typeof openPack> | undefined
  return async (words) => {
    opened ??= openPack(deps, pack)
    const say = await opened
    if (!say) throw new SpeechDownError(`voice pack '${pack.name}' has just changed`)
    const sound = say(words)
    if (!sound) throw new UnspeakableError(`voice pack '${pack.name}' lacks a word of it`)
    return { wav: sound.bytes, durationMs: sound.durationMs }
  }
}

/**
 * The sounds of these values, in order. Missing ones are made, once even for concurrent callers. Rejects with SpeechDownError while the
 * engine is down, and with NoRoomToSpeakError when the owner has no room for more; what was made by then is kept.
 */
export async function speak(
  deps: SpeechDeps,
  ownerId: number,
  manner: Manner,
  items: readonly SpokenValue[],
): Promise<Spoken[]> {
  if (items.length > speakAtOnceMax) throw new Error(`${items.length} values are too many for one speak`)
  const voices = new Map<SpokenKind, Voice>()
  for (const { kind } of items) if (!voices.has(kind)) voices.set(kind, await voiceOf(deps, ownerId, manner, kind))
  const wanted = new Map<string, { voice: Voice; texts: Map<string, string[]> }>()
  const said = items.flatMap(({ kind, value }) => {
    const voice = voices.get(kind)
    if (!voice) return []
    const words = wordsOf(kind, value, manner.language, manner.calendar)
    const texts = wanted.get(voice.key)?.texts ?? new Map<string, string[]>()
    wanted.set(voice.key, { voice, texts: texts.set(textOf(words), words) })
    return [{ kind, words, voice }]
  })
  const sounds = new Map<string, Sounds>()
  for (const [key, { voice, texts }] of wanted) sounds.set(key, await soundsOf({ ...deps, ownerId }, voice, texts))
  return said.map(({ kind, words, voice }) => {
    const sound = sounds.get(voice.key)?.get(textOf(words))
    if (sound === undefined) throw new Error('a value was not spoken')
    if (typeof sound === 'string') return { refused: `cannot be spoken: ${sound}` }
    if (sound.durationMs > spokenMsMax[kind]) return { refused: tooLong(sound.durationMs, spokenMsMax[kind]) }
    return { id: sound.id, hash: sound.hash, durationMs: sound.durationMs, words, voice: voice.name }
  })
}

/** Like `speak`, of a whole sentence in the engine's voice. */
export async function sayText(
  deps: SpeechDeps,
  language: Language,
  text: string,
): Promise<{ hash: string; durationMs: number } | { refused: string }> {
  const voice = engineVoice(deps.tts, language)
  const sound = (await soundsOf({ ...deps, ownerId: null }, voice, new Map([[text, [text]]]))).get(text)
  if (sound === undefined) throw new Error('a sentence was not spoken')
  return typeof sound === 'string' ? { refused: `cannot be spoken: ${sound}` } : sound
}

type PreparedSound = { hash: string; words: string[]; voice: string | null }

/**
 * The sounds that a prepared campaign plays for these values, one per spoken column; undefined where one is missing. A voice's name is null
 * when the voice no longer exists.
 */
export async function preparedSounds(
  deps: SpeechDeps,
  campaignId: number,
  manner: Manner,
  items: readonly SpokenValue[],
): Promise<PreparedSound[] | undefined> {
  const voices = await store.voicesOfCampaign(deps.db, campaignId)
  const prepared: PreparedSound[] = []
  for (const [index, { kind, value }] of items.entries()) {
    const words = wordsOf(kind, value, manner.language, manner.calendar)
    const key = voices[index]
    const [sound] = key === undefined ? [] : await store.soundsOf(deps.db, key, [textOf(words)])
    if (key === undefined || !sound || !(await isStored(deps.files, sound.hash))) return undefined
    prepared.push({ hash: sound.hash, words, voice: await nameOfVoice(deps, key) })
  }
  return prepared
}

async function nameOfVoice({ db, tts }: SpeechDeps, key: string): Promise<string | null> {
  if (languages.some((language) => key === engineKey(tts, language))) return tts.name
  return await nameOfPack(db, key)
}

export type LostSound = { voice: string; text: string; durationMs: number }

/**
 * Makes lost sounds again in the same voice, because rows keep saying what they were prepared with. Returns the texts that cannot be made,
 * each with the reason; rejects with SpeechDownError like `speak`.
 */
export async function speakAgain(deps: SpeechDeps, lost: readonly LostSound[]): Promise<Map<string, string>> {
  const gone = new Map<string, string>()
  for (const [key, all] of Map.groupBy(lost, ({ voice }) => voice)) {
    const voice = await voiceOfKey(deps, key)
    if (!voice) for (const { text } of all) gone.set(text, 'the voice that said it is not there any more')
    else for (const [text, why] of await sayAgain(deps, voice, all)) gone.set(text, why)
  }
  return gone
}

async function sayAgain(deps: SpeechDeps, voice: Voice, lost: readonly LostSound[]): Promise<Map<string, string>> {
  const gone = new Map<string, string>()
  for (let at = 0; at < lost.length; at += speakAtOnceMax) {
    const some = lost.slice(at, at + speakAtOnceMax)
    const words = new Map(some.map(({ text }) => [text, text.split(' ')]))
    for (const [text, sound] of await soundsOf({ ...deps, ownerId: null }, noLonger(voice, some), words))
      if (typeof sound === 'string') gone.set(text, `speaking it again fails: ${sound}`)
  }
  return gone
}

/** Undefined when neither the engine's current settings nor a pack's current revision has this key. */
async function voiceOfKey(deps: SpeechDeps, key: string): Promise<Voice | undefined> {
  for (const language of languages) if (key === engineKey(deps.tts, language)) return engineVoice(deps.tts, language)
  const pack = packOfKey(key)
  if (!pack || !(await openPack(deps, pack))) return undefined
  return packVoice(deps, { ...pack, name: key, key })
}

/** Calls have reserved money for the durations of the lost sounds, so new ones must not be longer. */
function noLonger(voice: Voice, lost: readonly LostSound[]): Voice {
  const known = new Map(lost.map(({ text, durationMs }) => [text, durationMs]))
  const make: Voice['make'] = async (words) => {
    const speech = await voice.make(words)
    if (speech.durationMs > (known.get(textOf(words)) ?? 0)) throw new UnspeakableError('it would be longer now')
    return speech
  }
  return { ...voice, make }
}

function tooLong(ms: number, max: number): string {
  return `takes ${(ms / 1000).toFixed(1)} seconds to say, at most ${max / 1000} are taken`
}

/** By text; a string is the reason why there is no sound. */
type Sounds = Map<string, store.StoredSound | string>

/** For whom sounds are made; null: for the platform, or again for whom they were made before. */
type Making = SpeechDeps & { ownerId: number | null }

async function soundsOf(deps: Making, voice: Voice, wanted: ReadonlyMap<string, string[]>): Promise<Sounds> {
  const found: Sounds = new Map()
  const look = async (): Promise<string[]> => {
    const left = [...wanted.keys()].filter((text) => !found.has(text))
    const stored = await store.soundsOf(deps.db, voice.key, left)
    const there = await Promise.all(stored.map((sound) => isStored(deps.files, sound.hash)))
    for (const [index, sound] of stored.entries()) if (there[index]) found.set(sound.text, sound)
    return left.filter((text) => !found.has(text))
  }
  for (let left = await look(); left.length > 0; left = await look()) {
    const { refused, elsewhere } = await make(deps, voice, new Map(left.map((text) => [text, wanted.get(text) ?? []])))
    for (const [text, why] of refused) found.set(text, why)
    if (elsewhere) await sleep(lookAgainMs)
  }
  return found
}

type Made = { refused: Map<string, string>; elsewhere: boolean }

/** Makes those that nobody else is making. The locks end with the connection, so nobody waits for a process that died. */
async function make(deps: Making, voice: Voice, texts: ReadonlyMap<string, string[]>): Promise<Made> {
  const { ownerId } = deps
  if (ownerId !== null) await requireRoomToSpeak(deps, ownerId)
  let failure: unknown
  const made = await withFiles(deps, async (tx): Promise<Made> => {
    const ours = await store.lockTexts(tx, voice.key, [...texts.keys()])
    const known = new Map((await store.soundsOf(tx, voice.key, [...ours])).map((sound) => [sound.text, sound.hash]))
    const refused = new Map<string, string>()
    const spoken: (Speech & { text: string })[] = []
    const one = async (text: string): Promise<void> => {
      const hash = known.get(text)
      if (hash !== undefined && (await isStored(deps.files, hash))) return // made while we waited for the lock
      spoken.push({ text, ...(await voice.make(texts.get(text) ?? [])) })
    }
    const results = await Promise.allSettled([...ours].map((text) => one(text)))
    for (const [index, text] of [...ours].entries()) {
      const result = results[index]
      if (result?.status !== 'rejected') continue
      if (result.reason instanceof UnspeakableError) refused.set(text, result.reason.message)
      else failure ??= result.reason
    }
    const wavs = spoken.map(({ wav }) => wav)
    const hashes = await keepFiles(tx, deps.files, wavs, 'speech')
    const sounds = spoken.map(({ text, durationMs }, index) => ({ text, hash: hashes[index] ?? '', durationMs }))
    await store.insert(tx, { voice: voice.key, ownerId, sounds })
    return { refused, elsewhere: ours.size < texts.size }
  })
  if (failure !== undefined) throw failure
  return made
}

/** Adding up 200,000 sounds takes 60 ms, in which ten more are made; so a sum with room left counts for so long. */
const summedForMs = 5000
const sums = new WeakMap<TtsDriver, Map<number, { bytes: number; atMono: number }>>()

/**
 * Values that no campaign needs any more give way before any is refused. Without a lock: what is made for an account in a few seconds may
 * exceed its room.
 */
async function requireRoomToSpeak(deps: SpeechDeps, ownerId: number): Promise<void> {
  const mostBytes = spokenBytesMax(await settingOf(deps.db, 'quotas'))
  const known = sums.get(deps.tts) ?? new Map<number, { bytes: number; atMono: number }>()
  sums.set(deps.tts, known)
  const hasRoom = async (): Promise<boolean> => {
    const bytes = await store.bytesMadeFor(deps.db, ownerId)
    known.set(ownerId, { bytes, atMono: performance.now() })
    return bytes < mostBytes
  }
  const { bytes, atMono } = known.get(ownerId) ?? { bytes: 0, atMono: -Infinity }
  if (bytes < mostBytes && performance.now() - atMono < summedForMs) return
  if (await hasRoom()) return
  const before = new Date()
  await forget(deps, await store.notNeededSince(deps.db, { before, limit: madeRoomOf, ownerId }), before)
  if (!(await hasRoom())) throw new NoRoomToSpeakError(noRoomToSpeak(mostBytes))
}

export async function forgetOldSpeech(app: App): Promise<void> {
  const before = new Date(app.clock.now().getTime() - keptDays * dayMs)
  for (;;) {
    const old = await store.notNeededSince(app.db, { before, limit: batch })
    if (old.length === 0) return
    await forget(app, old, before)
  }
}

async function forget(
  deps: Pick<SpeechDeps, 'db' | 'files'>,
  old: Awaited<ReturnType<typeof store.notNeededSince>>,
  before: Date,
): Promise<void> {
  for (const { id, hash } of old)
    await withFiles(deps, async (tx) => {
      forgetFile(tx, hash)
      await store.remove(tx, id, before)
    })
}

/** A prepared campaign may dial longer than when its values were spoken. */
export function keepSpokenOf(tx: Tx, campaignId: number): Promise<void> {
  return store.keepOfCampaign(tx, campaignId)
}
