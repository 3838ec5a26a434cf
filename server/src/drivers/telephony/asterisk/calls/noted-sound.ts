/**
 * What the dialer's dialplan notes as a channel that was answered ends (telephony/etc/dialer/extensions.conf): how many packets of sound it was sent, and
 * after how many ms without a packet of the far end its trunk's calls are ended; 0: never.
 */
export type NotedSound = { sent: number; limitMs: number }

/** ARI shows the note under this name. */
export const noteName = 'CHANNEL(userfield)'
/** Q.850, which Asterisk gives to a call that it ends because no sound comes. */
const lostSoundCause = 44
/** Q.850: what nobody could hear failed for lack of a common codec, as far as a cause can say. */
export const muteCause = 58
/** Whoever hangs up sooner has answered, although nothing was played yet. */
const hearsWithinMs = 1000
/** Q.850: somebody hung up, or nothing else is said. All other causes are the network's or the dialer's, also of a channel that was answered. */
const hangUpCauses: ReadonlySet<number> = new Set([0, 16, 31])

export const isHangUp = (cause: number | null): boolean => cause === null || hangUpCauses.has(cause)

/** Null: nothing was noted, because it was not answered or nobody saw its end. Without RTP there is no count, and nothing was sent. */
export function notedSound(note: string | undefined): NotedSound | null {
  const [, sent, limitMs] = /^(\d{0,10})\/(\d{1,8})$/.exec(note ?? '') ?? []
  return sent === undefined ? null : { sent: Number(sent), limitMs: Number(limitMs) }
}

/** Whether nobody could hear anything of an answered channel that lasted so long. `cause`: with which the channel was destroyed. */
export function wasMute(noted: NotedSound | null, lastedMs: number, cause: number | null): boolean {
  return noted?.sent === 0 && (!isHangUp(cause) || lastedMs >= hearsWithinMs)
}

/** For how long before its end nothing came, where that is why the dialer ended the channel. `byFarEnd`: somebody else ended it. */
export function silentMsOf(noted: NotedSound | null, cause: number | null, byFarEnd: boolean): number {
  return !byFarEnd && cause === lostSoundCause ? (noted?.limitMs ?? 0) : 0
}
