import { withHeader } from '../audio/wav.ts'

/** One second per tone, each fading in and out to avoid clicks. */
export function tonesWav(frequencies: readonly number[]): Uint8Array {
  const rate = 8000
  const samples = frequencies.flatMap((frequency) =>
    Array.from({ length: rate }, (_, n) =>
      Math.round(9000 * Math.sin((Math.PI * n) / rate) * Math.sin((2 * Math.PI * frequency * n) / rate)),
    ),
  )
  return withHeader(Int16Array.from(samples))
}
