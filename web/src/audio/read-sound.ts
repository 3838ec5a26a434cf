import { ownValue } from '@ghanti/contract/own-values.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import type { PrepareJob } from './prepare-worker.ts'
import type { Prepared } from './prepare.ts'
import { sourceSecondsMax } from './source-limits.ts'

/** The maximum size of a file that does not state its length: at the lowest bit rates this is an hour or two. */
const unmeasuredMaxBytes = 8 * mebibyte
/** Twice the rate of telephones: loses nothing that they carry, and half an hour fits into memory. */
const samplesPerSecond = 16_000
/** How long the browser may take to find the length. */
const lengthWithinMs = 5000

/** Why a file cannot be used. `kind`: a sound of a kind that this browser does not read. `seconds`: its length. */
export type SoundFault = { is: 'noSound' } | { is: 'kind'; kind: string } | { is: 'tooLong'; seconds: number | null }
export class UnusableSound extends Error {
  readonly fault: SoundFault
  constructor(fault: SoundFault) {
    super(fault.is)
    this.fault = fault
  }
}

/** Reads any kind of sound file for telephones. Throws UnusableSound. 'asIs': a wav with a coding that only the server reads. */
export async function readSound(file: File): Promise<Prepared | 'asIs'> {
  const kind = kindOf(new Uint8Array(await file.slice(0, 16).arrayBuffer()))
  const seconds = await lengthOf(file)
  if (seconds === null ? file.size > unmeasuredMaxBytes : seconds > sourceSecondsMax)
    throw new UnusableSound(kind === null ? { is: 'noSound' } : { is: 'tooLong', seconds })
  const decoded = await decode(file)
  if (decoded) return prepare(decoded)
  if (kind === 'wav') return 'asIs'
  throw new UnusableSound(kind === null || canPlay(kind) ? { is: 'noSound' } : { is: 'kind', kind })
}

/** The kind according to the first bytes, by its usual name; null when they are no known sound. */
function kindOf(bytes: Uint8Array): string | null {
  const text = (from: number) => String.fromCharCode(...bytes.subarray(from, from + 4))
  if (text(0) === 'RIFF' && text(8) === 'WAVE') return 'wav'
  if (text(4) === 'ftyp') return 'm4a'
  if (text(0).startsWith('ID3')) return 'mp3'
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0) return 'aac'
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0) return 'mp3'
  return (
    ownValue({ OggS: 'ogg', fLaC: 'flac', '#!AM': 'amr', FORM: 'aiff', '\u001aE\u00df\u00a3': 'webm' }, text(0)) ?? null
  )
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

function prepare(decoded: AudioBuffer): Promise<Prepared> {
  const worker = new Worker(new URL('./prepare-worker.ts', import.meta.url), { type: 'module' })
  const channels = Array.from({ length: decoded.numberOfChannels }, (_, n) =>
    Float32Array.from(decoded.getChannelData(n)),
  )
  return new Promise<Prepared>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Prepared>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'the sound could not be converted')))
    const job: PrepareJob = { channels, samplesPerSecond: decoded.sampleRate }
    worker.postMessage(
      job,
      channels.map(({ buffer }) => buffer),
    )
  }).finally(() => worker.terminate())
}
