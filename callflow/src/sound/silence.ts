import { telephoneRate } from './resample.ts'

const blockSamples = telephoneRate / 20
/** Of full scale, squared: −60 dBFS. Blocks below it are pauses, however loud the rest is. */
const heardFrom = 1e-6

/** The mean square of each 50 ms of a telephone's sound in which something is heard: none for silence. */
export function heardPowers(samples: Float32Array | Float64Array): number[] {
  const powers: number[] = []
  for (let from = 0; from < samples.length; from += blockSamples) {
    const to = Math.min(from + blockSamples, samples.length)
    let sum = 0
    for (let n = from; n < to; n += 1) sum += (samples[n] ?? 0) ** 2
    if (sum / (to - from) > heardFrom) powers.push(sum / (to - from))
  }
  return powers
}
