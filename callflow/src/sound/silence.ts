import { telephoneRate } from './resample.ts'

const blockSamples = telephoneRate / 20
/** Of full scale, squared: −60 dBFS. Blocks below it are pauses, however loud the rest is. */
const heardFrom = 1e-6

/**
 * The mean square of each 50 ms of a telephone's sound in which something is heard: none for silence, also where a converter's zero lies beside 0.
 */
export function heardPowers(samples: Float32Array | Float64Array): number[] {
  const powers: number[] = []
  for (let from = 0; from < samples.length; from += blockSamples) {
    const to = Math.min(from + blockSamples, samples.length)
    let [sum, squares] = [0, 0]
    for (let n = from; n < to; n += 1) {
      const sample = samples[n] ?? 0
      sum += sample
      squares += sample * sample
    }
    const power = squares / (to - from) - (sum / (to - from)) ** 2
    if (power > heardFrom) powers.push(power)
  }
  return powers
}
