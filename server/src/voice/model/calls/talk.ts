import type { ChannelRecord, HungUp } from '../../../drivers/telephony/driver.ts'

/** How long a channel is billed: from its answer to the last sound of the far end, where the dialer ended it for lack of any. Null: not answered. */
export function talkMsOf(leg: Pick<HungUp, 'at' | 'answeredAt' | 'silentMs'>): number | null {
  const { at, answeredAt, silentMs = 0 } = leg
  return answeredAt === null ? null : Math.max(0, Math.round(at - silentMs - answeredAt))
}

/** The same by the dialer's record; null while the channel lasts, too. */
export function recordedTalkMs({ endedAt, ...channel }: ChannelRecord): number | null {
  return endedAt === null ? null : talkMsOf({ ...channel, at: endedAt })
}
