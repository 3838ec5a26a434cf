import { wavOf } from '../audio/wav.ts'

const samplesPerSecond = 8000

/** A wav file whose loudness varies as in speech; from the fourth second on, the second half of each second is silent. */
export function speechLikeWav(seconds: number): Blob {
  const samples = Float32Array.from({ length: seconds * samplesPerSecond }, (_, at) => {
    const second = at / samplesPerSecond
    const isPause = second > 4 && second % 1 > 0.5
    const loudness = isPause ? 0 : 0.5 + 0.4 * Math.sin(second * 9) * Math.sin(second * 2.3)
    return loudness * Math.sin(second * 2 * Math.PI * 220)
  })
  return wavOf(samples, samplesPerSecond)
}
