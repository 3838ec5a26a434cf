import type { CallState } from '@ghanti/callflow/call.ts'
import type { HungUp } from '../../../drivers/telephony/driver.ts'

/** A prompt's first packet leaves much sooner. */
const heardWithinMs = 1000
/** Q.850: the driver ends other calls with it in which nobody can hear anything. */
const soundlessCause = 58
/** In all others no prompt was due, or an agent is on the line. */
const prompted: ReadonlySet<CallState['at']> = new Set(['asking', 'waiting', 'closing', 'ended'])

/**
 * What the end of a call of prompts counts as: not answered if one had long been due and not one packet went out, since the far end had the call on hold all
 * the time. As after an answer without a codec, somebody took it and heard nothing. `at`: where its flow stood.
 */
export function endOfSoundless(leg: HungUp, at: CallState['at']): HungUp {
  const { soundless, answeredAt, silentMs = 0, ...end } = leg
  if (!soundless || answeredAt === null || !prompted.has(at)) return leg
  if (end.at - silentMs - answeredAt < heardWithinMs) return leg
  return { ...end, answeredAt: null, endedBy: 'network', sipStatus: null, cause: soundlessCause, alerted: true }
}
