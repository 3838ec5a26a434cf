export type Lane = { host: string; account_id: number }

/**
 * Concurrent requests per host, requests started per second per host, concurrent per account, concurrent in all. A slow account's service took
 * long for its last answer; such accounts together hold half of all requests at most.
 */
const sendLimits = { ofHost: 5, perSecond: 10, ofAccount: 10, ofSlowAccount: 1, slow: 25, all: 50 } as const
/** An answer that takes longer makes its account a slow one, until one comes sooner. */
export const slowMs = 2000

/** What this process knows of a host. Times are milliseconds of a monotonic clock. */
export type HostState = {
  underWay: number
  /** The newest start times, as many as the rate limit looks at. */
  begun: number[]
  /** The host was unreachable; nothing is sent to it before this time. */
  restUntil: number
  /** Failures in a row. */
  misses: number
}

export const newHost = (): HostState => ({ underWay: 0, begun: [], restUntil: 0, misses: 0 })

export function begin(host: HostState, now: number): void {
  host.underWay += 1
  host.begun = [...host.begun, now].slice(-sendLimits.perSecond)
}

export function rest(host: HostState, now: number): void {
  host.misses += 1
  host.restUntil = now + Math.min(60_000, 500 * 2 ** host.misses)
}

type Now = {
  now: number
  hosts: ReadonlyMap<string, HostState>
  accounts: ReadonlyMap<number, number>
  slow: ReadonlySet<number>
  /** When each account last had a turn, in any increasing unit. */
  lastTurns: ReadonlyMap<number, number>
}

/**
 * How many of each lane may start now: one per turn, the account that waited longest first, until the host's, the account's or the total
 * limit is reached. An account with a million messages waiting gets no larger share of a host than one with ten.
 */
export function shares<L extends Lane>(
  lanes: readonly L[],
  { now, hosts, accounts, slow, lastTurns }: Now,
): (L & { wanted: number })[] {
  const underWay = [...hosts.values()].reduce((sum, host) => sum + host.underWay, 0)
  let left = sendLimits.all - underWay
  let slowLeft = sendLimits.slow - [...slow].reduce((sum, id) => sum + (accounts.get(id) ?? 0), 0)
  const hostLeft = new Map<string, number>()
  const accountLeft = new Map<number, number>()
  for (const { host, account_id: id } of lanes) {
    hostLeft.set(host, roomOf(hosts.get(host) ?? newHost(), now))
    const ofAccount = slow.has(id) ? sendLimits.ofSlowAccount : sendLimits.ofAccount
    accountLeft.set(id, ofAccount - (accounts.get(id) ?? 0))
  }
  const inTurn = lanes
    .map((lane) => ({ ...lane, wanted: 0 }))
    .toSorted((a, b) => (lastTurns.get(a.account_id) ?? 0) - (lastTurns.get(b.account_id) ?? 0))
  for (let given = true; given && left > 0;) {
    given = false
    for (const lane of inTurn) {
      const [ofHost, ofAccount] = [hostLeft.get(lane.host) ?? 0, accountLeft.get(lane.account_id) ?? 0]
      const isSlow = slow.has(lane.account_id)
      if (ofHost < 1 || ofAccount < 1 || left < 1 || (isSlow && slowLeft < 1)) continue
      if (isSlow) slowLeft -= 1
      hostLeft.set(lane.host, ofHost - 1)
      accountLeft.set(lane.account_id, ofAccount - 1)
      left -= 1
      lane.wanted += 1
      given = true
    }
  }
  return inTurn.filter(({ wanted }) => wanted > 0)
}

function roomOf({ underWay, begun, restUntil }: HostState, now: number): number {
  const justBegun = begun.filter((at) => at > now - 1000).length
  return now < restUntil ? 0 : Math.min(sendLimits.ofHost - underWay, sendLimits.perSecond - justBegun)
}
