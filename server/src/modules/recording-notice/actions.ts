import { noticeSecondsMax, type RecordingNotice } from '@ghanti/contract/recording-notice.ts'
import { languages, type Language } from '@ghanti/contract/templates.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { SpeechDownError, UnspeakableError } from '../../drivers/tts/driver.ts'
import type { Db } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx, FileReply, StagedFile } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { changeSetting, settingOf } from '../platform/actions.ts'
import { telephoneWav } from '../prompts/actions.ts'
import { forgetFile, keepFile, withFiles } from '../files/actions.ts'
import { noticeFaults } from './rules.ts'
import * as store from './store.ts'

export async function noticeOf(db: Db): Promise<RecordingNotice> {
  const [on, sounds] = await Promise.all([settingOf(db, 'recordingNotice'), store.sounds(db)])
  const shown = sounds.map(({ language, durationMs, text, changedAt }) => {
    return { language, durationMs, text, changedAt: nepalTimeOf(changedAt) }
  })
  return { on, sounds: shown }
}

/** Returns what its sender should know about the sound, each a sentence. */
export async function uploadNotice(ctx: Ctx, language: Language, wave: StagedFile): Promise<string[]> {
  const { bytes, durationMs, notes } = await telephoneWav(wave, ctx.viewer.userId, noticeSecondsMax)
  await put(ctx, { language, bytes, durationMs, text: null })
  return notes
}

export async function speakNotice(ctx: Ctx, language: Language, text: string): Promise<void> {
  const { wav, durationMs } = await ctx.app.tts.synthesise(text, language).catch((error: unknown) => {
    if (error instanceof UnspeakableError)
      throw badField('text', noticeFaults.unspeakable(error.message), 'not_readable')
    if (!(error instanceof SpeechDownError)) throw error
    const why = `cannot be spoken now: the speech engine does not answer: ${error.message}`
    throw new AppError('not_ready', [{ field: 'text', code: 'speech_down', text: why }], { retryAfterSeconds: 10 })
  })
  if (durationMs > noticeSecondsMax * 1000) throw badField('text', noticeFaults.tooLong(durationMs), 'too_long')
  await put(ctx, { language, bytes: wav, durationMs, text })
}

type New = { language: Language; bytes: Uint8Array; durationMs: number; text: string | null }

async function put(ctx: Ctx, { bytes, ...sound }: New): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    await store.lock(tx)
    for (const { language, hash } of await store.sounds(tx)) if (language === sound.language) forgetFile(tx, hash)
    const hash = await keepFile(tx, app.files, bytes, 'platform')
    await store.put(tx, { ...sound, hash, changedAt: app.clock.now(), byUserId: viewer.userId })
    const { language, durationMs, text } = sound
    await audit(tx, ctx, 'recording.notice', 'platform', { language, durationMs, ...(text !== null && { text }) })
  })
}

/** Takes effect with the next recorded conversation; those under way are not interrupted. */
export async function turnNotice(ctx: Ctx, on: boolean): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    await store.lock(tx)
    const before = await settingOf(tx, 'recordingNotice')
    if (before === on) return
    const there = new Set((await store.sounds(tx)).map(({ language }) => language))
    if (on && !languages.every((language) => there.has(language))) throw conflict('on', noticeFaults.missing, 'missing')
    await changeSetting(tx, 'recordingNotice', on, ctx.viewer.userId)
    const words = (is: boolean): string => (is ? 'on' : 'off')
    const detail = { name: 'notice before recordings', before: words(before), after: words(on) }
    await audit(tx, ctx, 'setting.change', 'platform', detail)
  })
}

export async function listenToNotice({ app }: Ctx, language: Language): Promise<FileReply> {
  const sound = (await store.sounds(app.db)).find((one) => one.language === language)
  if (!sound) throw new AppError('not_found')
  return { type: 'audio/wav', fileName: `notice ${language}.wav`, inline: true, body: { hash: sound.hash } }
}
