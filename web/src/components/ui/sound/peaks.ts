import { decodedSound } from '../../../api/decoded-sound.ts'

/** Enough to see where somebody speaks, and all that telephones play. */
const samplesPerSecond = 8000

/** The loudness of each of `count` equal parts of a file. Rejects when this browser cannot decode it. */
export async function peaksOfFile(url: string, count: number): Promise<readonly number[]> {
  const sound = await decodedSound(url, samplesPerSecond)
  const channels = Array.from({ length: sound.numberOfChannels }, (_, channel) => sound.getChannelData(channel))
  return peaksOf(channels, count)
}

/** 0 to 1 for each part: the square root of its loudest sample, so that quiet speech is visible and a loud file still looks louder. */
export function peaksOf(channels: readonly Float32Array[], count: number): readonly number[] {
  const samples = channels[0]?.length ?? 0
  return Array.from({ length: count }, (_, part) => {
    const from = Math.floor((part * samples) / count)
    const to = Math.floor(((part + 1) * samples) / count)
    let loudest = 0
    for (const channel of channels) {
      for (let at = from; at < to; at += 1) loudest = Math.max(loudest, Math.abs(channel[at] ?? 0))
    }
    return Math.sqrt(Math.min(1, loudest))
  })
}
