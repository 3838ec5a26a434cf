import { WavError, WavTooLongError } from '@ghanti/callflow/sound/wav.ts'
import { prepared, preparedWav, type Prepared } from './prepare.ts'

/** Channels that the browser decoded, or a wav file. */
export type PrepareJob =
  | { channels: readonly Float32Array<ArrayBuffer>[]; samplesPerSecond: number }
  | { wav: ArrayBuffer; secondsMax: number }
/** `why` continues a sentence after the field's label. */
export type PrepareEnd = { sound: Prepared } | { tooLong: number } | { why: string }

/** One sound a worker: mixing and filtering half an hour takes a second, during which the page must stay responsive. */
self.addEventListener('message', ({ data }: MessageEvent<PrepareJob>) => {
  const end = endOf(data)
  self.postMessage(end, { transfer: 'sound' in end ? [end.sound.samples.buffer] : [] })
})

function endOf(job: PrepareJob): PrepareEnd {
  try {
    if ('channels' in job) return { sound: prepared(job.channels, job.samplesPerSecond) }
    return { sound: preparedWav(new Uint8Array(job.wav), job.secondsMax) }
  } catch (error) {
    if (error instanceof WavTooLongError) return { tooLong: error.seconds }
    if (error instanceof WavError) return { why: error.message }
    throw error
  }
}
