/** Uniform in [0, 1). */
export type Random = () => number

/** Repeatable for the same seed and words (FNV-1a, then mulberry32). */
export function randomOf(seed: number, words: string): Random {
  let state = seed ^ 0x811c9dc5
  for (let at = 0; at < words.length; at += 1) state = Math.imul(state ^ words.charCodeAt(at), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
