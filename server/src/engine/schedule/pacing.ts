/** How many calls may begin, and whose. Times are monotonic ms. */

const secondMs = 1000
/** After a pause of the process, the calls of this much time may be made up for, and at least two. */
const catchUpSeconds = 0.25
const catchUpCalls = 2

/**
 * Limits a dialer or trunk to its calls per second. Tokens, one for each call, arrive at that rate and spread the calls evenly. The limiter also remembers
 * when calls began, so that no second exceeds the rate even after a pause.
 */
export class RateLimiter {
  #tokens = 0
  #filledAt: number
  /** When calls began. Those before index `#first` are more than a second old. */
  #begun: number[] = []
  #first = 0

  constructor(now: number) {
    this.#filledAt = now
  }

  mayBegin(callsPerSecond: number, now: number): boolean {
    this.#fill(callsPerSecond, now)
    return this.#tokens >= 1 && this.#begun.length - this.#first < callsPerSecond
  }

  /** How many calls may begin within the next `ms`. */
  roomWithin(callsPerSecond: number, ms: number, now: number): number {
    if (callsPerSecond === 0) return 0
    this.#fill(callsPerSecond, now)
    const recent = this.#begun.length - this.#begun.findLastIndex((at) => now - at >= secondMs - ms) - 1
    const calls = Math.floor(this.#tokens + (ms / secondMs) * callsPerSecond)
    return Math.max(0, Math.min(Math.ceil(callsPerSecond) - recent, calls))
  }

  /** How many calls began within the last second. */
  begunLately(now: number): number {
    return this.#begun.length - this.#begun.findLastIndex((at) => now - at >= secondMs) - 1
  }

  begins(now: number): void {
    this.#tokens -= 1
    this.#begun.push(now)
  }

  #fill(callsPerSecond: number, now: number): void {
    const most = callsPerSecond === 0 ? 0 : Math.max(catchUpCalls, callsPerSecond * catchUpSeconds)
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#filledAt) / secondMs) * callsPerSecond)
    this.#filledAt = now
    while (now - (this.#begun[this.#first] ?? now) >= secondMs) this.#first += 1
    if (this.#first < 1000) return
    this.#begun = this.#begun.slice(this.#first)
    this.#first = 0
  }
}

/** A campaign that could begin `wanted` calls by its rows, money and channels. */
export type Demand = { campaignId: number; userId: number; trunkId: number; cliId: number; wanted: number }
export type Capacity = { dialer: number; trunks: ReadonlyMap<number, number>; clis: ReadonlyMap<number, number> }
/** Who had the last turn: a user, and of each user a campaign. */
export type RoundRobin = { user: number; campaigns: ReadonlyMap<number, number> }

export const firstTurn: RoundRobin = { user: 0, campaigns: new Map() }

/**
 * Users take turns, one call each, whatever the size of their campaigns; so do the campaigns of one user. The user after the last turn begins,
 * so that everybody has a turn even at one call a tick.
 */
export function share(
  demands: readonly Demand[],
  room: Capacity,
  round: RoundRobin,
): { shares: Map<number, number>; round: RoundRobin } {
  const shares = new Map<number, number>()
  const left = { dialer: room.dialer, trunks: new Map(room.trunks), clis: new Map(room.clis) }
  const wanted = new Map(demands.map((demand) => [demand.campaignId, demand.wanted]))
  const queues = queuesOf(demands, round)
  const campaigns = new Map(round.campaigns)
  let user = round.user
  for (let went = true; went && left.dialer > 0;) {
    went = false
    for (const [userId, queue] of queues) {
      const demand = nextOf(queue, wanted, left)
      if (!demand || left.dialer === 0) continue
      shares.set(demand.campaignId, (shares.get(demand.campaignId) ?? 0) + 1)
      less(wanted, demand.campaignId)
      less(left.trunks, demand.trunkId)
      less(left.clis, demand.cliId)
      left.dialer -= 1
      campaigns.set(userId, demand.campaignId)
      user = userId
      went = true
    }
  }
  return { shares, round: { user, campaigns } }
}

/** How many of the campaigns' calls go over each trunk. */
export function byTrunk(shares: ReadonlyMap<number, number>, demands: readonly Demand[]): Map<number, number> {
  const calls = new Map<number, number>()
  for (const { campaignId, trunkId } of demands)
    calls.set(trunkId, (calls.get(trunkId) ?? 0) + (shares.get(campaignId) ?? 0))
  return calls
}

/** Users in turn, and the campaigns of each in turn. */
function queuesOf(demands: readonly Demand[], round: RoundRobin): Map<number, Demand[]> {
  const byUser = new Map<number, Demand[]>()
  for (const demand of rotated(demands, (demand) => demand.userId, round.user)) {
    const queue = byUser.get(demand.userId)
    if (queue) queue.push(demand)
    else byUser.set(demand.userId, [demand])
  }
  for (const [userId, queue] of byUser)
    byUser.set(
      userId,
      rotated(queue, (demand) => demand.campaignId, round.campaigns.get(userId) ?? 0),
    )
  return byUser
}

/** In order of the key, beginning after `last`. */
function rotated(demands: readonly Demand[], keyOf: (demand: Demand) => number, last: number): Demand[] {
  const late = (demand: Demand): number => (keyOf(demand) > last ? 0 : 1)
  return [...demands].sort((a, b) => late(a) - late(b) || keyOf(a) - keyOf(b))
}

type Left = { dialer: number; trunks: Map<number, number>; clis: Map<number, number> }

/** Takes the next campaign of the queue that can begin a call and puts it at the end. Campaigns that cannot are removed. */
function nextOf(queue: Demand[], wanted: ReadonlyMap<number, number>, left: Left): Demand | undefined {
  for (let demand = queue.shift(); demand; demand = queue.shift()) {
    const can =
      (wanted.get(demand.campaignId) ?? 0) > 0 &&
      (left.trunks.get(demand.trunkId) ?? 0) > 0 &&
      (left.clis.get(demand.cliId) ?? 0) > 0
    if (!can) continue
    queue.push(demand)
    return demand
  }
  return undefined
}

function less(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) - 1)
}
