/** Which engine should have which dialer: by weight, and so that as few dialers as possible change hands. */

/** `key`: the number of its liveness lock. */
export type Member = { key: number; weight: number }
/** `holder`: the member that has it now; null: none. */
export type Placed = { id: number; holder: number | null }

/**
 * The engine for each dialer. Whoever knows the same engines and dialers gets the same answer. An engine's share is the part of all dialers that
 * its weight gives it, as a whole number. It keeps the dialers that it has, up to its share. Each of the others goes to the engine whose score
 * for it is highest (weighted rendezvous hashing) among those that have less than their share. So no dialer moves while all have their shares,
 * and an engine that comes or goes moves its own share only.
 */
export function placeDialers(dialers: readonly Placed[], members: readonly Member[]): Map<number, number> {
  const placed = new Map<number, number>()
  const free = sharesOf(dialers, members)
  const place = ({ id, key }: Pair): void => {
    if (placed.has(id) || (free.get(key) ?? 0) === 0) return
    placed.set(id, key)
    free.set(key, (free.get(key) ?? 0) - 1)
  }
  const kept = dialers.flatMap(({ id, holder }) =>
    pairsOf(
      id,
      members.filter(({ key }) => key === holder),
    ),
  )
  for (const pair of kept.toSorted(byScore)) place(pair)
  const left = dialers.filter(({ id }) => !placed.has(id)).flatMap(({ id }) => pairsOf(id, members))
  for (const pair of left.toSorted(byScore)) place(pair)
  return placed
}

/** Whole shares by the largest remainders. Among equal ones the engine that already has more dialers gets one more, so that none has to move. */
function sharesOf(dialers: readonly Placed[], members: readonly Member[]): Map<number, number> {
  const weights = members.reduce((sum, { weight }) => sum + weight, 0)
  const held = Map.groupBy(dialers, ({ holder }) => holder)
  const shares = members.map(({ key, weight }) => {
    const remainder = (dialers.length * weight) % weights
    const whole = (dialers.length * weight - remainder) / weights
    return { key, whole, remainder, held: held.get(key)?.length ?? 0 }
  })
  const extra = dialers.length - shares.reduce((sum, { whole }) => sum + whole, 0)
  const first = shares.toSorted(
    (one, other) =>
      other.remainder - one.remainder || other.held - other.whole - (one.held - one.whole) || one.key - other.key,
  )
  return new Map(first.map(({ key, whole }, i) => [key, i < extra ? whole + 1 : whole]))
}

type Pair = { id: number; key: number; score: number }

function pairsOf(id: number, members: readonly Member[]): Pair[] {
  return members.map(({ key, weight }) => ({ id, key, score: scoreOf(id, key, weight) }))
}

function byScore(one: Pair, other: Pair): number {
  return other.score - one.score || one.id - other.id || one.key - other.key
}

/** Each of several engines has the highest score for a dialer as often as its weight says. */
function scoreOf(id: number, key: number, weight: number): number {
  const high = Math.floor(key / 2 ** 32)
  const chance = (mixed((key >>> 0) ^ mixed(high ^ mixed(id))) + 0.5) / 2 ** 32
  return -weight / Math.log(chance)
}

/** 32 bits, each of which depends on all bits of `n` (the end of MurmurHash3). */
function mixed(n: number): number {
  let h = n ^ (n >>> 16)
  h = Math.imul(h, 0x85eb_ca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2_ae35)
  return (h ^ (h >>> 16)) >>> 0
}
