import type { RtpFigures } from '../../driver.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { RtpStatistics } from '../ari/messages.ts'

/** Null when the channel is gone or has no RTP. */
export async function rtpOf(http: AriHttp, channelId: string): Promise<RtpFigures | null> {
  try {
    const rtp = RtpStatistics.parse(await http.ari('GET', `/channels/${channelId}/rtp_statistics`))
    const received = { packets: rtp.rxcount, lost: Math.max(0, rtp.rxploss), jitterMs: rtp.rxjitter * 1000 }
    const sent = { packets: rtp.txcount, lost: Math.max(0, rtp.txploss), jitterMs: rtp.txjitter * 1000 }
    return { received, sent: rtp.rtt > 0 ? sent : null, sentPackets: rtp.txcount }
  } catch (error) {
    if (error instanceof AriError && error.status === 404) return null
    throw error
  }
}
