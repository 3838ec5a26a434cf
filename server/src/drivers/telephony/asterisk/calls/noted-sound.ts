/**
 * What the dialer's dialplan notes as a channel that was answered ends (telephony/etc/dialer/extensions.conf): how many packets of sound it was sent
 * (null: Asterisk has no count), after how many ms without a packet of the far end its trunk's calls are ended (0: never), and since when no client of ours was connected, if
 * that is why it ended. 'never': none had the channel at any time.
 */
export type NotedSound = { sent: number | null; limitMs: number; aloneSince?: number | 'never' | undefined }

const noteForm = /^(\d{0,10})\/(\d{1,8})(?:\/(\d{13}|unheard)?)?$/
/** Q.850, which Asterisk gives to a call that it ends because no sound comes. */
const lostSoundCause = 44
/** Q.850, with which the dialplan ends a call that has no sound: no codec is common. */
export const muteCause = 58
/** Q.850: nobody answers. The trunk has carried the call. */
export const unheardCause = 19
/** Asterisk itself gives up an answer without SDP within this time. */
const givenUpWithinMs = 1000
/** Q.850: somebody hung up, or nothing else is said. All other causes are the network's or the dialer's, also of a channel that was answered. */
const hangUpCauses: ReadonlySet<number> = new Set([0, 16, 31])

export const isHangUp = (cause: number | null): boolean => cause === null || hangUpCauses.has(cause)

/** Null: nothing was noted, because it was not answered or nobody saw its end. */
export function notedSound(note: string | undefined): NotedSound | null {
  const [, sent, limitMs, alone] = noteForm.exec(note ?? '') ?? []
  if (sent === undefined) return null
  const aloneSince = alone === 'unheard' ? 'never' : alone ? Number(alone) : undefined
  return { sent: sent === '' ? null : Number(sent), limitMs: Number(limitMs), aloneSince }
}

/**
 * Whether an answered channel never had any sound, because the far end's answer had no SDP or no codec of ours. How many packets were sent says nothing:
 * a test call plays nothing, and a prompt may be late. `cause`: with which it was destroyed, after so long.
 */
export function wasMute(noted: NotedSound | null, lastedMs: number, cause: number | null): boolean {
  if (noted === null || noted.sent !== null) return false
  return cause === muteCause || (!isHangUp(cause) && lastedMs < givenUpWithinMs)
}

/** Whether an answered channel was sent no packet, although it could have been: the far end had it on hold all the time, or nothing was played. */
export const wasSoundless = (noted: NotedSound | null): boolean => noted?.sent === 0

/** Whether an answered channel heard nothing because no client of ours was connected from its answer on. */
export function wasUnheard(noted: NotedSound | null, answeredAt: number | null): boolean {
  const since = noted?.aloneSince
  return since === 'never' || (since !== undefined && answeredAt !== null && since <= answeredAt)
}

/**
 * For how long before its end nothing came, where that is why the dialer ended the channel, or no client of ours was connected. `byFarEnd`: somebody else
 * ended it.
 */
export function silentMsOf(noted: NotedSound | null, endedAt: number, cause: number | null, byFarEnd: boolean): number {
  if (typeof noted?.aloneSince === 'number') return Math.max(0, endedAt - noted.aloneSince)
  return !byFarEnd && cause === lostSoundCause ? (noted?.limitMs ?? 0) : 0
}
