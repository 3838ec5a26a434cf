import { ownValue } from '@ghanti/contract/own-values.ts'
import { soundKindOf } from '@ghanti/callflow/sound/kinds.ts'
import { hasOtherFrames } from '@ghanti/callflow/sound/mp3.ts'
import { isWav } from '@ghanti/callflow/sound/riff.ts'
import { severalRecordings } from '@ghanti/callflow/sound/several.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import type { PrepareEnd, PrepareJob } from './prepare-worker.ts'
import type { Prepared } from './prepare.ts'
import { sourceSecondsMax } from './source-limits.ts'

/** The maximum size of a file that does not state its length: at the lowest bit rates this is an hour or two. */
const unmeasuredMaxBytes = 8 * mebibyte
/** Twice the rate of telephones: loses nothing that they carry, and half an hour fits into memory. */
const samplesPerSecond = 16_000
/** How long the browser may take to find the length. */
const lengthWithinMs = 5000

/**
 * Why a file cannot be used. `kind`: a sound of a kind that this browser does not read. `seconds`: its length. `unreadable`: `why`
 * continues a sentence after the field's label, in the API's words.
 */
export type SoundFault =
  | { is: 'noSound' }
  | { is: 'kind'; kind: string }
  | { is: 'tooLong'; seconds: number | null }
  | { is: 'unreadable'; why: string }
export class UnusableSound extends Error {
  readonly fault: SoundFault
  constructor(fault: SoundFault) {
    super(fault.is)
    this.fault = fault
  }
}

/** Reads any kind of sound file for telephones: a wav by the reader that the server uses, others by the browser. Throws UnusableSound. */
export async function readSound(file: File): Promise<Prepared> {
  if (isWav(new Uint8Array(await file.slice(0, 16).arrayBuffer()))) {
    const wav = await file.arrayBuffer()
    return prepare({ wav, secondsMax: sourceSecondsMax }, [wav])
  }
  const seconds = await lengthOf(file)
  if (seconds === null ? file.size > unmeasuredMaxBytes : seconds > sourceSecondsMax) {
    const kind = await kindOf(file)
    throw new UnusableSound(kind === null ? { is: 'noSound' } : { is: 'tooLong', seconds })
  }
  if (await isCutByBrowser(file)) throw new UnusableSound({ is: 'unreadable', why: severalRecordings })
  const decoded = await decode(file)
  if (!decoded) {
    const kind = await kindOf(file)
    throw new UnusableSound(kind === null || canPlay(kind) ? { is: 'noSound' } : { is: 'kind', kind })
  }
  const channels = Array.from({ length: decoded.numberOfChannels }, (_, n) =>
    Float32Array.from(decoded.getChannelData(n)),
  )
  const job = { channels, samplesPerSecond: decoded.sampleRate }
  return prepare(
    job,
    channels.map(({ buffer }) => buffer),
  )
}

/** Browsers end an mp3 where frames of another format begin. */
async function isCutByBrowser(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return soundKindOf(bytes)?.name === 'mp3' && hasOtherFrames(bytes)
}

/** The kind by its usual name; null when the content is no known sound. */
async function kindOf(file: File): Promise<string | null> {
  return soundKindOf(new Uint8Array(await file.arrayBuffer()))?.name ?? null
}

const typeOf: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4; codecs="mp4a.40.2"',
  aac: 'audio/aac',
  ogg: 'audio/ogg; codecs="opus"',
  flac: 'audio/flac',
  webm: 'audio/webm; codecs="opus"',
}

/** Whether the browser can read the kind; a file of it that fails is then empty or damaged. */
function canPlay(kind: string): boolean {
  return new Audio().canPlayType(ownValue(typeOf, kind) ?? `audio/${kind}`) !== ''
}

/** Seconds, without reading the whole file; null when it does not state its length. */
function lengthOf(file: File): Promise<number | null> {
  const address = URL.createObjectURL(file)
  const audio = new Audio()
  audio.preload = 'metadata'
  return new Promise<number | null>((resolve) => {
    audio.addEventListener('loadedmetadata', () => resolve(Number.isFinite(audio.duration) ? audio.duration : null))
    audio.addEventListener('error', () => resolve(null))
    setTimeout(() => resolve(null), lengthWithinMs)
    audio.src = address
  }).finally(() => {
    audio.removeAttribute('src')
    URL.revokeObjectURL(address)
  })
}

async function decode(file: File): Promise<AudioBuffer | null> {
  try {
    return await new OfflineAudioContext(1, 1, samplesPerSecond).decodeAudioData(await file.arrayBuffer())
  } catch {
    return null
  }
}

async function prepare(job: PrepareJob, transfer: Transferable[]): Promise<Prepared> {
  const worker = new Worker(new URL('./prepare-worker.ts', import.meta.url), { type: 'module' })
  const end = await new Promise<PrepareEnd>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<PrepareEnd>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'the sound could not be converted')))
    worker.postMessage(job, transfer)
  }).finally(() => worker.terminate())
  if ('sound' in end) return end.sound
  throw new UnusableSound('why' in end ? { is: 'unreadable', why: end.why } : { is: 'tooLong', seconds: end.tooLong })
}
