import { prepared } from './prepare.ts'

export type PrepareJob = { channels: readonly Float32Array<ArrayBuffer>[]; samplesPerSecond: number }

/** One sound a worker: mixing and filtering half an hour takes a second, during which the page must stay responsive. */
self.addEventListener('message', ({ data: { channels, samplesPerSecond } }: MessageEvent<PrepareJob>) => {
  const sound = prepared(channels, samplesPerSecond)
  self.postMessage(sound, { transfer: [sound.samples.buffer] })
})
