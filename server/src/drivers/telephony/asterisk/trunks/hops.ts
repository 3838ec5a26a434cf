import { hostAndPort } from '@ghanti/contract/sip-options.ts'
import type { Trunk } from '../../driver.ts'
import type { Names } from './host-name.ts'

/** A host that takes a trunk's calls. The lowest priority is called first; within a priority, calls are shared by weight. */
export type Hop = { host: string; port: number; priority: number; weight: number }
export type HopState = { reachable: boolean | null; avoidUntil: number }

const portOf = (transport: Trunk['transport']): number => (transport === 'tls' ? 5061 : 5060)

/** The hop of requests that have no other. */
function firstOf({ host, port, transport, options }: Trunk): { host: string; port: number } {
  const proxy = hostAndPort(options.outboundProxy)
  return proxy ? { host: proxy.host, port: proxy.port ?? portOf(transport) } : { host, port }
}

/** `known`: the last result, used while DNS does not answer. */
export async function hopsOf(trunk: Trunk, names: Names, known: readonly Hop[]): Promise<readonly Hop[]> {
  const { transport, options } = trunk
  if (options.byDns) {
    const found = await names.sipServers(trunk.host, transport).catch(() => known)
    if (found.length > 0) return found
  }
  const further = options.hosts.flatMap((written) => hostAndPort(written) ?? [])
  const all = [firstOf(trunk), ...further.map(({ host, port }) => ({ host, port: port ?? portOf(transport) }))]
  return all.map((hop, priority) => ({ ...hop, priority, weight: 1 }))
}

/** How calls that failed there name it. */
export const nameOf = ({ host, port }: Hop): string => `${host}:${port}`

/**
 * The index of the hop for the next call; undefined: none is left that was not tried. A host that does not answer, or has just failed, is used only when
 * no better one is left.
 */
export function nextHop(
  hops: readonly Hop[],
  states: readonly HopState[],
  { now, random, tried = [] }: { now: number; random: number; tried?: readonly string[] | undefined },
): number | undefined {
  const all = hops.map((hop, n) => ({ n, hop, state: states[n] })).filter(({ hop }) => !tried.includes(nameOf(hop)))
  const good = all.filter(({ state }) => (state?.avoidUntil ?? 0) <= now)
  const answers = (known: boolean | null) => (of: typeof all) =>
    of.filter(({ state }) => (state?.reachable ?? null) === known)
  const [yes, unknown] = [answers(true), answers(null)]
  const usable = [yes(good), unknown(good), yes(all), unknown(all), all].find((some) => some.length > 0) ?? all
  const first = Math.min(...usable.map(({ hop }) => hop.priority))
  const equal = usable.filter(({ hop }) => hop.priority === first)
  let left = random * equal.reduce((sum, { hop }) => sum + hop.weight, 0)
  for (const { n, hop } of equal) if ((left -= hop.weight) < 0) return n
  return equal[0]?.n
}

/** Whether another host may take a call that these did not. */
export function hasOther(hops: readonly Hop[], states: readonly HopState[], tried: readonly string[]): boolean {
  return hops.some((hop, n) => states[n]?.reachable !== false && !tried.includes(nameOf(hop)))
}
