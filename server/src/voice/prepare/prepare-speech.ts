import type { Flow } from '@ghanti/callflow/flow.ts'
import type { SpokenValue } from '@ghanti/callflow/speech/read.ts'
import type { PoolClient } from 'pg'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { speak, speakAtOnceMax, type SpeechDeps, type Spoken } from '../../modules/speech/actions.ts'
import { contactBatches, type ContactJob } from '../../modules/contacts/rows/worker.ts'
import type { Sound } from '../model/calls/plan.ts'
import type { Turn } from '../../dispatch/turns/account-turns.ts'
import { listValues, refuseUnspeakable, storeValueSounds, valuesAfter, type ValueSound } from './prepare-speech.sql.ts'

export type SpeechWork = {
  speech: SpeechDeps
  ownerId: number
  flow: Flow
  /** Brings sounds to the dialer that will play them. */
  bring(sounds: readonly Sound[], still: () => Promise<void>): Promise<void>
  report(words: string): Promise<void>
  signal: AbortSignal
  reportEveryMs: number
}

/** The engine speaks one batch while another waits for the database, and the next while the dialer gets one. */
const batchesAtOnce = 2
const ignore = (): void => {}
const counted = (n: number): string => n.toLocaleString('en')

/** Why values have no sound, by kind and value. */
export type Unspeakable = ReadonlyMap<string, string>

const nameOf = ({ kind, value }: SpokenValue): string => `${kind} ${value}`

/**
 * Speaks every value of the file's rows and brings the sounds to the dialer. This may take minutes, so it happens before any transaction.
 * Returns the values without a sound, whose rows are refused later. When it is stopped midway, the sounds that were made are kept. Between two
 * batches other accounts have their turns.
 */
export async function makeSpeech(work: SpeechWork, job: ContactJob, turn: Turn): Promise<Unspeakable> {
  const unspeakable = new Map<string, string>()
  let done = 0
  let reportedAt = performance.now()
  await using batches = contactBatches(job, 'spoken', work.signal)
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    const left = [...next.value.spoken]
    const { values } = next.value
    const report = (): Promise<void> => work.report(`making speech: ${counted(done)} of ${counted(values)}`)
    if (done === 0) await report()
    const lane = async (): Promise<void> => {
      let brought = Promise.resolve()
      for (let some = left.splice(0, speakAtOnceMax); some.length > 0; some = left.splice(0, speakAtOnceMax)) {
        const spoken = await say(work, some)
        for (const [index, one] of spoken.entries()) {
          const value = some[index]
          if (value && 'refused' in one) unspeakable.set(nameOf(value), one.refused)
        }
        const sounds = await soundsOf(work.speech.files, spoken)
        await brought
        brought = work.bring(sounds, report)
        brought.catch(ignore) // rejects where it is awaited, unless something else fails before
        done += some.length
        if (performance.now() - reportedAt < work.reportEveryMs) continue
        reportedAt = performance.now()
        await report()
      }
      await brought
    }
    const lanes = Array.from({ length: batchesAtOnce }, () =>
      lane().catch((error: unknown) => {
        left.length = 0 // nothing more for the others
        throw error
      }),
    )
    for (const ended of await Promise.allSettled(lanes)) if (ended.status === 'rejected') throw ended.reason
    await turn.rest()
  }
  return unspeakable
}

function say({ speech, ownerId, flow, signal }: SpeechWork, values: readonly SpokenValue[]): Promise<Spoken[]> {
  signal.throwIfAborted()
  if (!flow.speech) throw new Error('the flow says values in no language')
  return speak(speech, ownerId, flow.speech, values)
}

async function soundsOf(files: FilesDriver, spoken: readonly Spoken[]): Promise<Sound[]> {
  const sounds: Sound[] = []
  for (const one of spoken)
    if ('hash' in one)
      sounds.push({
        hash: one.hash,
        path: await files.pathOf(one.hash),
        durationMs: one.durationMs,
        of: one.words.join(' '),
      })
  return sounds
}

/**
 * Inside the import's transaction: gives each value its sound, which exists unless it was lost since `makeSpeech`. Returns how many rows are
 * refused because a value has none.
 */
export async function speakRows(work: SpeechWork, client: PoolClient, unspeakable: Unspeakable): Promise<number> {
  const { spoken } = work.flow
  await listValues(client, work.flow)
  let after = 0
  for (;;) {
    const values = await valuesAfter(client, after, speakAtOnceMax)
    const last = values.at(-1)
    if (!last) break
    after = last.id
    const asked = values.flatMap(({ id, at, value }) => {
      const kind = spoken[at]?.kind
      return kind ? [{ id, kind, value }] : []
    })
    const speakable = asked.filter((value) => !unspeakable.has(nameOf(value)))
    const sounds = await say(work, speakable)
    await storeValueSounds(client, [
      ...speakable.map(({ id }, index) => valueSound(id, sounds[index])),
      ...asked.flatMap((value) => {
        const refused = unspeakable.get(nameOf(value))
        return refused === undefined ? [] : [valueSound(value.id, { refused })]
      }),
    ])
  }
  return refuseUnspeakable(
    client,
    spoken.map(({ column }) => column),
  )
}

function valueSound(id: number, spoken: Spoken | undefined): ValueSound {
  if (!spoken) throw new Error('a value was not spoken')
  if ('refused' in spoken) return { id, soundId: null, durationMs: null, why: spoken.refused }
  return { id, soundId: spoken.id, durationMs: spoken.durationMs, why: null }
}
