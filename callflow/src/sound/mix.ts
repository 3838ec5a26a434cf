/** `at` returns the sample of a frame and a channel, from -1 to 1. */
export type Channels = { count: number; frames: number; at: (frame: number, channel: number) => number }
export type Mix = {
  samples: Float32Array<ArrayBuffer>
  /** The channels cancel each other out, as with a microphone whose wires were swapped; `samples` are those of the loudest one. */
  isOutOfPhase: boolean
  /** A channel is cut off at full scale, which no change of volume repairs. */
  isClipped: boolean
}

const blockFrames = 2048
/** Channels that have nothing in common keep their power when they are mixed. Those that lose more than this share of it cancel each other out. */
const lostFrom = 1 / 2
/** The share of the sound, by its power, that must be lost. */
const cancelledFrom = 1 / 10
/** Full scale, less some room for rounding. */
const fullScale = 0.985
/** The share of samples at full scale from which they are clipping and not peaks. */
const clippedFrom = 1 / 2000

/** Mixes to mono before resampling: one filter run, and no channel is lost. */
export function mixed(channels: Channels): Mix {
  const { count, frames } = channels
  const samples = new Float32Array(frames)
  const power = new Float64Array(count)
  const atFullScale = new Uint32Array(count)
  let [total, cancelled] = [0, 0]
  for (let from = 0; from < frames; from += blockFrames) {
    const to = Math.min(frames, from + blockFrames)
    let apart = 0
    for (let channel = 0; channel < count; channel++) {
      const added = add(channels, channel, samples, from, to)
      apart += added.power
      power[channel] = (power[channel] ?? 0) + added.power
      atFullScale[channel] = (atFullScale[channel] ?? 0) + added.atFullScale
    }
    total += apart
    if (count > 1 && divided(samples, count, from, to) < apart * lostFrom) cancelled += apart
  }
  const isClipped = atFullScale.some((number) => number > frames * clippedFrom)
  const isOutOfPhase = total > 0 && cancelled > total * cancelledFrom
  if (isOutOfPhase) add(channels, power.indexOf(Math.max(...power)), samples.fill(0), 0, frames)
  return { samples, isOutOfPhase, isClipped }
}

function add({ at }: Channels, channel: number, samples: Float32Array, from: number, to: number) {
  let [power, atFullScale] = [0, 0]
  for (let frame = from; frame < to; frame++) {
    const sample = at(frame, channel)
    samples[frame] = (samples[frame] ?? 0) + sample
    power += sample * sample
    if (sample >= fullScale || sample <= -fullScale) atFullScale += 1
  }
  return { power, atFullScale }
}

/** Makes the mean of a sum. Returns the sum's power. */
function divided(samples: Float32Array, count: number, from: number, to: number): number {
  let power = 0
  for (let frame = from; frame < to; frame++) {
    const sum = samples[frame] ?? 0
    power += sum * sum
    samples[frame] = sum / count
  }
  return power
}
