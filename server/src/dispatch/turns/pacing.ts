/** How many calls may begin, and whose. Times are monotonic ms. */
import { nextTrunk, type RouteStep } from './route-step.ts'

const secondMs = 1000
/** After a pause of the process, it makes up for the calls of this much time, and for two calls at least. */
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
export type Demand = {
  campaignId: number
  userId: number
  /** The caller IDs that its calls may show over a trunk. */
  clisOver: (trunkId: number) => readonly number[]
  /** Its rows by cursor. */
  streams: readonly StreamDemand[]
  wanted: number
}
/** Rows of a campaign that have a cursor of their own: how many may be called, as far as it is known, and over which trunks. `stream` null: all its rows. */
type StreamDemand = { stream: number | null; rows: number; route: readonly RouteStep[] }
/** How many calls may begin, and how many channels of each trunk are in use. */
export type Capacity = {
  dialer: number
  trunks: ReadonlyMap<number, number>
  inUse: ReadonlyMap<number, number>
  clis: ReadonlyMap<number, number>
  /** How many calls may begin over the trunks of each contract, and which trunk has which. Left out: none has one. */
  contracts?: { room: ReadonlyMap<number, number>; ofTrunk: ReadonlyMap<number, number> }
}
/** A number of calls of a campaign's stream, over one trunk. */
export type Portion = { campaignId: number; stream: number | null; trunkId: number; calls: number }
/** Who had the last turn: a user, of each user a campaign, and of each campaign a stream. */
export type RoundRobin = {
  user: number
  campaigns: ReadonlyMap<number, number>
  streams: ReadonlyMap<number, number>
}

export const firstTurn: RoundRobin = { user: 0, campaigns: new Map(), streams: new Map() }

/**
 * Users take turns, one call each, whatever the size of their campaigns; so do the campaigns of one user, and the streams of one campaign. The user
 * after the last turn begins, so that everybody has a turn even at one call a tick. Each call goes over the trunk of its stream's route that is next.
 * A stream whose trunks have no room lets the other streams of its campaign go on.
 */
export function distribute(
  demands: readonly Demand[],
  room: Capacity,
  round: RoundRobin,
): { portions: Portion[]; round: RoundRobin } {
  const portions = new Map<string, Portion>()
  const left = {
    dialer: room.dialer,
    trunks: new Map(room.trunks),
    inUse: new Map(room.inUse),
    clis: new Map(room.clis),
    contracts: new Map(room.contracts?.room),
    contractOf: (trunkId: number) => room.contracts?.ofTrunk.get(trunkId),
  }
  const wanted = new Map(demands.map((demand) => [demand.campaignId, demand.wanted]))
  const queues = queuesOf(demands, round)
  const campaigns = new Map(round.campaigns)
  const streams = new Map([...round.streams].filter(([campaignId]) => wanted.has(campaignId)))
  let user = round.user
  for (let went = true; went && left.dialer > 0;) {
    went = false
    for (const [userId, queue] of queues) {
      const next = nextOf(queue, wanted, left)
      if (!next || left.dialer === 0) continue
      const { demand, stream, trunkId } = next
      const { campaignId } = demand
      const key = `${campaignId} ${stream} ${trunkId}`
      const portion = portions.get(key) ?? { campaignId, stream, trunkId, calls: 0 }
      portions.set(key, { ...portion, calls: portion.calls + 1 })
      add(wanted, campaignId, -1)
      add(left.trunks, trunkId, -1)
      add(left.inUse, trunkId, 1)
      const contractId = left.contractOf(trunkId)
      if (contractId !== undefined) add(left.contracts, contractId, -1)
      const shown = roomiest(demand.clisOver(trunkId), left.clis)
      if (shown !== undefined) add(left.clis, shown, -1)
      left.dialer -= 1
      campaigns.set(userId, campaignId)
      if (stream !== null) streams.set(campaignId, stream)
      user = userId
      went = true
    }
  }
  return { portions: [...portions.values()], round: { user, campaigns, streams } }
}

/** How many calls go over each trunk. */
export function byTrunk(portions: Iterable<Portion>): Map<number, number> {
  const calls = new Map<number, number>()
  for (const portion of portions) add(calls, portion.trunkId, portion.calls)
  return calls
}

/** A demand whose streams wait for their turn. */
type Queued = Omit<Demand, 'streams'> & { streams: StreamDemand[] }

/** Users in turn, the campaigns of each in turn, and the streams of each of these. */
function queuesOf(demands: readonly Demand[], round: RoundRobin): Map<number, Queued[]> {
  const byUser = new Map<number, Queued[]>()
  for (const demand of rotated(demands, (demand) => demand.userId, round.user)) {
    const queue = byUser.get(demand.userId)
    const last = round.streams.get(demand.campaignId) ?? -1
    const streams = rotated(demand.streams, ({ stream }) => stream ?? 0, last).map((stream) => ({ ...stream }))
    const queued = { ...demand, streams }
    if (queue) queue.push(queued)
    else byUser.set(demand.userId, [queued])
  }
  for (const [userId, queue] of byUser)
    byUser.set(
      userId,
      rotated(queue, (demand) => demand.campaignId, round.campaigns.get(userId) ?? 0),
    )
  return byUser
}

/** In order of the key, beginning after `last`. */
function rotated<T>(all: readonly T[], keyOf: (one: T) => number, last: number): T[] {
  const late = (one: T): number => (keyOf(one) > last ? 0 : 1)
  return [...all].sort((a, b) => late(a) - late(b) || keyOf(a) - keyOf(b))
}

type Left = Pick<Capacity, 'trunks' | 'inUse' | 'clis'> & {
  contracts: ReadonlyMap<number, number>
  contractOf(trunkId: number): number | undefined
}

/** How many calls may begin over the trunk, by its own limits and its contract's. */
function roomOf(trunkId: number, left: Left): number {
  const contractId = left.contractOf(trunkId)
  const ofContract = contractId === undefined ? Infinity : (left.contracts.get(contractId) ?? 0)
  return Math.min(left.trunks.get(trunkId) ?? 0, ofContract)
}

/** Takes the next campaign of the queue that can begin a call and puts it at the end. Campaigns that cannot are removed. */
function nextOf(
  queue: Queued[],
  wanted: ReadonlyMap<number, number>,
  left: Left,
): { demand: Queued; stream: number | null; trunkId: number } | undefined {
  for (let demand = queue.shift(); demand; demand = queue.shift()) {
    const next = (wanted.get(demand.campaignId) ?? 0) > 0 ? nextStream(demand, left) : undefined
    if (!next) continue
    queue.push(demand)
    return { demand, ...next }
  }
  return undefined
}

/** The same for the streams of a campaign. */
function nextStream(
  { streams: queue, clisOver }: Queued,
  left: Left,
): { stream: number | null; trunkId: number } | undefined {
  const isShown = (trunkId: number): boolean => clisOver(trunkId).some((cliId) => (left.clis.get(cliId) ?? 0) > 0)
  const of = {
    room: (trunkId: number) => (isShown(trunkId) ? roomOf(trunkId, left) : 0),
    inUse: (trunkId: number) => left.inUse.get(trunkId) ?? 0,
  }
  for (let next = queue.shift(); next; next = queue.shift()) {
    const trunkId = next.rows > 0 ? nextTrunk(next.route, of) : undefined
    if (trunkId === undefined) continue
    next.rows -= 1
    queue.push(next)
    return { stream: next.stream, trunkId }
  }
  return undefined
}

/** Which caller ID a call shows depends on its number (chosen_clis), so this only ensures that no more calls are distributed than can show one. */
function roomiest(clis: readonly number[], left: ReadonlyMap<number, number>): number | undefined {
  return clis.toSorted((a, b) => (left.get(b) ?? 0) - (left.get(a) ?? 0))[0]
}

function add(counts: Map<number, number>, key: number, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
