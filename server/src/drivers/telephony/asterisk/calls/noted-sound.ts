/**
 * What the dialer's dialplan notes as a channel that was answered ends (telephony/etc/dialer/extensions.conf): whether Asterisk could count packets of
 * its sound, and after how many ms without a packet of the far end its trunk's calls are ended; 0: never.
 */
export type NotedSound = { isCounted: boolean; limitMs: number }

/** ARI shows the note under this name. */
export const noteName = 'CHANNEL(userfield)'
/** Q.850, which Asterisk gives to a call that it ends because no sound comes. */
const lostSoundCause = 44
/** Q.850, with which the dialplan ends a call that has no sound: no codec is common. */
export const muteCause = 58
/** Asterisk itself gives up an answer without SDP within this time. */
const givenUpWithinMs = 1000
/** Q.850: somebody hung up, or nothing else is said. All other causes are the network's or the dialer's, also of a channel that was answered. */
const hangUpCauses: ReadonlySet<number> = new Set([0, 16, 31])

export const isHangUp = (cause: number | null): boolean => cause === null || hangUpCauses.has(cause)

/** Null: nothing was noted, because it was not answered or nobody saw its end. */
export function notedSound(note: string | undefined): NotedSound | null {
  const [, sent, limitMs] = /^(\d{0,10})\/(\d{1,8})$/.exec(note ?? '') ?? []
  return sent === undefined ? null : { isCounted: sent !== '', limitMs: Number(limitMs) }
}

/**
 * Whether an answered channel never had any sound, because the far end's answer had no SDP or no codec of ours. How many packets were sent says nothing:
 * a test call plays nothing, and a prompt may be late. `cause`: with which it was destroyed, after so long.
 */
export function wasMute(noted: NotedSound | null, lastedMs: number, cause: number | null): boolean {
  if (noted === null || noted.isCounted) return false
  return cause === muteCause || (!isHangUp(cause) && lastedMs < givenUpWithinMs)
}

/** For how long before its end nothing came, where that is why the dialer ended the channel. `byFarEnd`: somebody else ended it. */
export function silentMsOf(noted: NotedSound | null, cause: number | null, byFarEnd: boolean): number {
  return !byFarEnd && cause === lostSoundCause ? (noted?.limitMs ?? 0) : 0
}
