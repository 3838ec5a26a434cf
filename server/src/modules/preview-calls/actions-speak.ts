import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow } from '@ghanti/callflow/flow.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import { textOf } from '@ghanti/callflow/speech/words.ts'
import { SpeechDownError } from '../../drivers/tts/driver.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import type { BaseRow } from '../contacts/actions-row.ts'
import { NoRoomToSpeakError, preparedSounds, speak } from '../speech/actions.ts'

export type SpokenColumn = { column: string; text: string; voice: string | null; hash: string }

/** What the flow says to this row: as prepared, or in the owner's current voices. A string instead says why the row would be refused. */
export async function spokenOf(
  { app, viewer }: Ctx,
  { flow, ownerId, campaignId }: { flow: Flow; ownerId: number; campaignId: number | null },
  { row }: BaseRow,
): Promise<SpokenColumn[] | string> {
  const { speech } = flow
  if (!speech || flow.spoken.length === 0 || !('phone' in row)) return []
  const items: { kind: (typeof flow.spoken)[number]['kind']; value: string }[] = []
  for (const [index, { column, kind }] of flow.spoken.entries()) {
    const read = readValue(kind, row.spoken?.[index] ?? '')
    if (!read.ok) return `${column} ${read.why}`
    items.push({ kind, value: read.value })
  }
  const sounds =
    (campaignId === null ? undefined : await preparedSounds(app, campaignId, speech, items)) ??
    (await soon((isWaitedFor) =>
      speaking.run(() => {
        if (!isWaitedFor()) throw speechDown('it takes too long')
        return speak(app, ownerId, speech, items).catch(notNow)
      }, viewer.userId),
    ))
  const spoken: SpokenColumn[] = []
  for (const [index, { column }] of flow.spoken.entries()) {
    const sound = sounds[index]
    if (!sound) throw new Error('a value was not spoken')
    if ('refused' in sound) return `${column} ${sound.refused}`
    spoken.push({ column, text: textOf(sound.words), voice: sound.voice, hash: sound.hash })
  }
  return spoken
}

function notNow(error: unknown): never {
  if (error instanceof NoRoomToSpeakError) throw conflict('row', error.message, 'quota')
  if (!(error instanceof SpeechDownError)) throw error
  throw speechDown(error.message)
}

function speechDown(why: string): AppError {
  const text = `cannot be spoken now: the speech engine does not answer: ${why}`
  return new AppError('not_ready', [{ field: 'row', code: 'speech_down', text }], { retryAfterSeconds: 10 })
}

/** Shorter than the timeout of browsers, so that they show the reason. The speech being made is cached for the next request. */
const answerWithinMs = 20_000

/** @public Tests wait less. */
export async function soon<T>(work: (isWaitedFor: () => boolean) => Promise<T>, withinMs = answerWithinMs): Promise<T> {
  const waited = new AbortController()
  const late = sleep(withinMs, undefined, { signal: waited.signal, ref: false }).then(() => {
    throw speechDown('it takes too long')
  })
  try {
    return await Promise.race([work(() => !waited.signal.aborted), late])
  } finally {
    late.catch(() => undefined)
    waited.abort()
  }
}

/**
 * Each preview holds a connection while the speech engine works; if that hung, all previews together would leave none. One row per user at
 * a time, so that leafing through a file does not keep the engine from campaigns.
 */
const speaking = new FairSemaphore(4, { ofEach: 1 })
