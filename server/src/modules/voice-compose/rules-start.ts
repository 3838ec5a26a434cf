import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { CampaignStart } from '@ghanti/contract/contacts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { blockOf, closedNow, type Block, type Stoppable } from '../platform/rules-dialling.ts'
import { startWords } from '../platform/rules-words.ts'

/**
 * The current route of a campaign's calls; what is not null is a problem. `accountChannels`: the smallest limit of the account and those
 * above.
 */
export type Way = {
  dialerDown: string | null
  unusable: string | null
  held: { reason: string; probeAt: Date } | null
  dialer: { name: string; channels: number; callsPerSecond: number }
  trunk: { name: string; channels: number; callsPerSecond: number }
  cli: { number: string; channels: number; isGroup?: boolean }
  accountChannels: number | null
}

export type StartContext = {
  wanted: Date
  now: Date
  dialUntil: Date
  hours: CallingHours
  blocks: readonly Block[]
  stoppable: Stoppable
  way: Way
}

export type Start = { at: Date | null; opensAt: Date | null; reasons: CampaignStart['reasons'] }

/**
 * When a campaign's first call starts, and why not at the wanted time: what the engine would find if that time were now
 * (voice/scheduler/decide/decide.ts).
 */
export function startOfCalls({ wanted, now, dialUntil, hours, blocks, stoppable, way }: StartContext): Start {
  const closed = closedNow(hours, wanted)
  const stopped = blockOf(blocks, stoppable)
  const reasons: Start['reasons'] = []
  if (stopped !== null) reasons.push({ cause: 'stopped', text: stopped })
  reasons.push(...faultsOf(way, now).map((text) => ({ cause: 'line' as const, text })))
  const passesByItself = reasons.length === 0
  if (closed) reasons.push({ cause: 'hours', text: startWords.outsideHours(closed.opensAt, now) })
  const at = closed ? closed.opensAt : wanted
  return {
    at: passesByItself && at !== null && at < dialUntil ? at : null,
    opensAt: closed?.opensAt ?? null,
    reasons,
  }
}

/** Problems of the route. Limits set to zero count only when there is nothing worse. */
function faultsOf({ dialerDown, unusable, held, dialer, trunk, cli, accountChannels }: Way, now: Date): string[] {
  if (dialerDown !== null) return [startWords.dialerDown(dialer.name, dialerDown)]
  if (unusable !== null) return [startWords.trunkUnusable(trunk.name, unusable)]
  if (held) return [startWords.trunkOnHold(trunk.name, held.reason, held.probeAt, now)]
  const lines = [
    { ...dialer, whose: `dialer ${dialer.name}` },
    { ...trunk, whose: `trunk ${trunk.name}` },
    { ...cli, whose: `${cli.isGroup ? 'caller ID group' : 'caller ID'} ${cli.number}`, callsPerSecond: 1 },
    { channels: accountChannels ?? 1, whose: 'the account', callsPerSecond: 1 },
  ]
  const off = lines.find(({ channels, callsPerSecond }) => channels === 0 || callsPerSecond === 0)
  return off ? [startWords.noRate(off.whose)] : []
}

export function wireStart({ at, opensAt, reasons }: Start): CampaignStart {
  return { at: at && nepalTimeOf(at), opensAt: opensAt && nepalTimeOf(opensAt), reasons }
}
