import type { ChannelRecord, DialerRecord, HungUp } from '../../../drivers/telephony/driver.ts'
import { silentCause } from '../../../lib/trunk-limits.ts'
import { isCongestion } from '../../model/calls/disposition.ts'

/** What the dialer's own record says of a channel that does not live and whose end nobody saw. */
export type RecordedEnd =
  | { is: 'ended'; leg: HungUp }
  /** The dialer was up all the time and knows nothing of it. */
  | { is: 'neverSent' }
  /** Nobody can say. Nothing is charged, and nobody is called again without Retry. */
  | { is: 'lost' }
  /** It may have begun or ended just now: ask again. */
  | { is: 'unclear' }

/** The clocks of database, engine and dialer agree within this. */
const skewMs = 5000

/**
 * `claimedAt`: it cannot have been dialled before. `answeredAt`, `alerted`: what we saw of it ourselves. `sent`: by now the record would show it.
 * `last`: decide, without asking again.
 */
export function recordedEndOf(
  record: DialerRecord,
  channel: {
    channelId: string
    claimedAt: number
    answeredAt: number | null
    cancelled: boolean
    alerted: boolean
  },
  { last, sent }: { last: boolean; sent: boolean },
): RecordedEnd {
  const entry = record.channels.get(channel.channelId)
  if (!entry) {
    if (!sent) return { is: 'unclear' }
    const upAllTheTime = record.upSince <= channel.claimedAt - skewMs
    return { is: channel.answeredAt !== null || !upAllTheTime ? 'lost' : 'neverSent' }
  }
  if (entry.endedAt !== null) return { is: 'ended', leg: ended(entry, entry.endedAt, channel) }
  if (entry.startedAt >= record.upSince) return last ? { is: 'lost' } : { is: 'unclear' }
  return { is: 'lost' } // it died with the dialer, which is nothing that its account pays for
}

/** The record does not say whether a telephone rang: an end that only the operator's lack of room explains is taken for one before that. */
function ended(
  entry: ChannelRecord,
  at: number,
  { cancelled, alerted }: { cancelled: boolean; alerted: boolean },
): HungUp {
  const byUs = entry.answeredAt !== null ? 'timeLimit' : cancelled ? 'hangUp' : 'ringTimeout'
  return {
    type: 'hungUp',
    channelId: entry.channelId,
    at,
    startedAt: entry.startedAt,
    answeredAt: entry.answeredAt,
    endedBy: entry.endedByFarEnd ? 'network' : byUs,
    sipStatus: null,
    cause: entry.cause,
    silentMs: entry.silentMs,
    soundless: entry.soundless,
    alerted:
      alerted ||
      entry.alerted === true ||
      (entry.endedByFarEnd ? !isCongestion(entry.cause) : entry.cause !== silentCause),
  }
}
