import type { HungUp } from '../../../drivers/telephony/driver.ts'
import type { CallPorts } from './call-ports.ts'
import type { Call } from './call.ts'

/**
 * Whether the last leg is one of its number's calls of the day (docs/adr/8). Of a leg that another engine may have begun (`last` null), and of one whose end
 * nobody knows, it is.
 */
export function lastLegCounts(
  call: Call,
  ports: Pick<CallPorts, 'legCounts'>,
  last: HungUp | 'unknown' | null,
): boolean {
  if (last === null || last === 'unknown') return last === 'unknown' || call.isAdopted
  const talkMs = Math.min(last.at - (last.silentMs ?? 0), call.endedAt ?? last.at) - (last.answeredAt ?? last.at)
  return ports.legCounts(call, last, talkMs)
}
