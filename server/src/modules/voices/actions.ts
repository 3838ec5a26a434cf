import { readFile } from 'node:fs/promises'
import { notSupported, tooLarge } from '@ghanti/contract/messages.ts'
import type { Calendar, Language, SpokenKind } from '@ghanti/contract/templates.ts'
import { packsMax, wordMaxBytes, wordSecondsMax, zipFilesMax, type VoiceUpload } from '@ghanti/contract/voices.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import { refusedType } from '../../http/requests/refused-type.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { joined } from '../../audio/words-sound.ts'
import { readWords, type WordFile } from '../../audio/words-worker.ts'
import { wavTypes, type ConvertedWav, type TelephoneWav } from '../../audio/wav.ts'
import { audit } from '../audit/actions.ts'
import { forgetFile, keepFiles, withFiles, type FilesTx } from '../files/actions.ts'
import { wavBytesOf } from '../quotas/rules.ts'
import { giveNotice } from '../notices/actions.ts'
import { isOwn, keyOfPack, keyOfWord, neededKeys, ownerIdOf, packOfKey, wordOfFile } from './rules.ts'
import * as store from './store.ts'

export async function createPack(ctx: Ctx, pack: { name: string; language: Language }): Promise<number> {
  const { app, viewer } = ctx
  return await app.db.transaction().execute(async (tx) => {
    const packId = await store.insert(tx, { ...pack, ownerId: ownerIdOf(viewer), max: packsMax })
    if (packId === 'taken') throw conflict('name', 'is the name of another of your voice packs', 'taken')
    if (packId === 'full') throw conflict('name', `would be more than the ${packsMax} voice packs that you may have`)
    await audit(tx, ctx, 'voice.create', `voice pack ${packId}`, pack)
    return packId
  })
}

/** Throws 404 for what the viewer may not see, 403 for somebody else's. */
async function ownPack(db: Db, { viewer }: Ctx, packId: number): Promise<store.Pack> {
  const pack = await store.find(db, scopeOf(viewer), packId)
  if (!pack) throw new AppError('not_found')
  if (!isOwn(viewer, pack)) throw new AppError('not_allowed')
  return pack
}

type Upload = { packId: number; key: string | undefined; file: StagedFile }
type Taken = VoiceUpload['taken'][number]

/** Stores every usable file and reports why each other was refused; throws when none is usable. */
export async function uploadWords(ctx: Ctx, { packId, key, file }: Upload): Promise<Omit<VoiceUpload, 'message'>> {
  const { app } = ctx
  const { language } = await ownPack(app.db, ctx, packId)
  if (key !== undefined && !wordOfFile(language, key)) throw badField('key', 'is not a word of the list')
  const files = await recordingsOf(file, ctx.viewer.userId)
  const taken: (Taken & { wav: ConvertedWav })[] = []
  const refused: VoiceUpload['refused'] = []
  for (const found of files) {
    const { fileName } = found
    const word = wordOfFile(language, key ?? fileName)
    const why = whyNot(found, word, taken)
    if (why !== null || !word || !('wav' in found)) refused.push({ fileName, why: why ?? '' })
    else taken.push({ fileName, key: word.key, word: word.word, wav: found.wav })
  }
  if (taken.length === 0) throw nothingTaken(file, refused)
  await withFiles(app, async (tx) => {
    await store.hold(tx, packId)
    const pack = await ownPack(tx, ctx, packId)
    await store.putWords(tx, packId, await keepWords(tx, ctx, pack, taken))
    await audit(tx, ctx, 'voice.upload', `voice pack ${packId}`, { words: taken.length })
  })
  return { taken: taken.map(({ fileName, key, word, wav }) => ({ fileName, key, word, ...noted(wav) })), refused }
}

const noted = ({ notes }: ConvertedWav): Pick<Taken, 'notes'> => (notes.length > 0 ? { notes } : {})

/** Stores the recordings in place of those that wait. Those of the platform have no quota. */
async function keepWords(
  tx: FilesTx,
  { app }: Ctx,
  { id: packId, owner_id: ownerId }: store.Pack,
  taken: readonly { key: string; wav: TelephoneWav }[],
): Promise<store.NewRecording[]> {
  const keys = taken.map(({ key }) => key)
  const waiting = await store.waitingOf(tx, packId, keys)
  for (const { hash } of waiting) forgetFile(tx, hash)
  const replaced = waiting.map(({ ms }) => wavBytesOf(ms))
  const wavs = taken.map(({ wav }) => wav.bytes)
  const room = ownerId === null ? 'platform' : { ownerId, field: 'voiceFile', replaced }
  const hashes = await keepFiles(tx, app.files, wavs, room)
  return taken.map(({ key, wav }, index) => ({ key, hash: hashes[index] ?? '', durationMs: wav.durationMs }))
}

/** Whatever becomes of the pack's words in this transaction, those files go that none of them names afterwards. */
async function forgetReplacedWords(tx: FilesTx, packId: number): Promise<void> {
  for (const hash of await store.filesOf(tx, packId)) forgetFile(tx, hash)
}

function whyNot(found: WordFile, word: { key: string } | undefined, taken: readonly Taken[]): string | null {
  if (!word) return 'does not have the name of a word in the list'
  if ('refused' in found) return found.refused
  const same = taken.find(({ key }) => key === word.key)
  return same ? `is the same word as ${same.fileName}` : null
}

async function recordingsOf(file: StagedFile, userId: number): Promise<WordFile[]> {
  const limits = { secondsMax: wordSecondsMax, fileBytesMax: wordMaxBytes, filesMax: zipFilesMax }
  const { end, files } = await readWords({ path: file.path, fileName: file.fileName, ...limits }, userId)
  const field = 'voiceFile'
  switch (end.kind) {
    case 'read':
      return files
    case 'refused':
      throw badField(field, end.why, end.code)
    case 'tooLarge':
      throw new AppError('too_large', [{ field, code: 'too_large', text: 'is too large for one word' }], {
        message: tooLarge(end.bytes),
      })
    case 'foreign': {
      const message = notSupported(refusedType(file.declaredType, end.type, wavTypes))
      const text = `is ${end.type} by its content, only wav files and zips of them are taken`
      throw new AppError('not_supported', [{ field, code: 'not_supported', text }], { message })
    }
  }
}

function nothingTaken(file: StagedFile, refused: VoiceUpload['refused']): AppError {
  const [first] = refused
  if (!first) return badField('voiceFile', 'holds no recordings', 'empty')
  const isAlone = refused.length === 1 && first.fileName === file.fileName
  const text = isAlone ? first.why : `holds nothing that can be taken: ${first.fileName} ${first.why}`
  return badField('voiceFile', text, 'not_readable')
}

export async function deleteWord(ctx: Ctx, packId: number, key: string): Promise<void> {
  await withFiles(ctx.app, async (tx) => {
    await store.hold(tx, packId)
    await ownPack(tx, ctx, packId)
    await forgetReplacedWords(tx, packId)
    if (!(await store.deleteWord(tx, packId, key))) throw new AppError('not_found')
    await audit(tx, ctx, 'voice.deleteWord', `voice pack ${packId}`, { key })
  })
}

/** The viewer's own, or any as super admin. Values spoken with it are kept for their campaigns. */
export async function deletePack(ctx: Ctx, packId: number): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    await store.hold(tx, packId)
    const pack = await store.find(tx, scopeOf(viewer), packId)
    if (!pack) throw new AppError('not_found')
    if (!isOwn(viewer, pack) && viewer.role !== 'superAdmin') throw new AppError('not_allowed')
    await forgetReplacedWords(tx, packId)
    await store.deletePack(tx, packId)
    await audit(tx, ctx, 'voice.delete', `voice pack ${packId}`, { name: pack.name, ownerId: pack.owner_id })
  })
}

export type PackDecision = { packId: number; change: number; approved: boolean; reason: string | null }

/** Decides on all waiting recordings as they were at `change`: later uploads have not been listened to. */
export async function decidePack(ctx: Ctx, { packId, change, approved, reason }: PackDecision): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    await store.hold(tx, packId)
    const pack = await store.find(tx, scopeOf(viewer), packId)
    if (!pack) throw new AppError('not_found')
    if (pack.change_no !== change) throw conflict('change', 'has changed since you looked at it: look again', 'changed')
    if (pack.pending === 0) throw conflict('packId', 'has no recordings that wait', 'decided')
    await forgetReplacedWords(tx, packId)
    await store.decide(tx, { packId, approved, reason, byUserId: viewer.userId, at: app.clock.now() })
    // Recordings of the platform are approved by the people who make them, so nobody is notified.
    if (pack.owner_id !== null) {
      const kind = approved ? 'voicePackApproved' : 'voicePackRejected'
      await giveNotice(tx, { userId: pack.owner_id, kind, subjectId: packId, about: pack.name, reason })
    }
    const action = approved ? 'voice.approve' : 'voice.reject'
    await audit(tx, ctx, action, `voice pack ${packId}`, { words: pack.pending, ownerId: pack.owner_id, reason })
  })
}

export async function soundOf(
  ctx: Ctx,
  wanted: { packId: number; key: string; which: 'approved' | 'pending' | undefined },
): Promise<string> {
  const { app, viewer } = ctx
  const pack = await store.find(app.db, scopeOf(viewer), wanted.packId)
  const word = pack && (await store.recordedWord(app.db, wanted.packId, wanted.key))
  const hashes = { approved: word?.wav_hash, pending: word?.pending_hash }
  const hash = wanted.which ? hashes[wanted.which] : (hashes.approved ?? hashes.pending)
  if (!hash) throw new AppError('not_found')
  return hash
}

export type NearestPack = { packId: number; revision: number; name: string; key: string }

/** The nearest pack (own, of an account above, platform) that has every word which this kind can need. */
export async function nearestPack(
  db: Db,
  ownerId: number,
  { language, kind, calendar }: { language: Language; kind: SpokenKind; calendar: Calendar },
): Promise<NearestPack | undefined> {
  const needed = neededKeys(language, kind, calendar)
  if (!needed) return undefined
  const found = (await store.candidates(db, ownerId, language)).find(({ keys }) => {
    const there = new Set(keys)
    return needed.every((key) => there.has(key))
  })
  if (!found) return undefined
  const { packId, revision, name } = found
  return { packId, revision, name, key: keyOfPack({ packId, revision }) }
}

/** Null when the key is not a pack's or the pack was deleted. */
export async function nameOfPack(db: Db, key: string): Promise<string | null> {
  const pack = packOfKey(key)
  return pack ? await store.nameOf(db, pack.packId) : null
}

/** Undefined when the pack lacks one of the words. */
export type SayWords = (words: readonly string[]) => TelephoneWav | undefined

/** All words in memory, a few MB; undefined when the pack's revision has changed. */
export async function openPack(
  { db, files }: Pick<App, 'db' | 'files'>,
  { packId, revision }: Pick<NearestPack, 'packId' | 'revision'>,
): Promise<SayWords | undefined> {
  const words = await store.approvedWords(db, packId, revision)
  const [first] = words
  if (!first) return undefined
  const sounds = new Map<string, Uint8Array>()
  try {
    for (const { key, hash } of words) sounds.set(key, await readFile(await files.pathOf(hash)))
  } catch (error) {
    // A word that was replaced while the others were read is gone, and the revision with it.
    if ((await store.approvedWords(db, packId, revision)).length === 0) return undefined
    throw error
  }
  return (wanted) => {
    const parts = wanted.map((word) => sounds.get(keyOfWord(first.language, word) ?? ''))
    return parts.every((part) => part !== undefined) ? joined(parts) : undefined
  }
}
