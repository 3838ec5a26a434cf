import type { DialRequest, Media } from '../driver.ts'
import type { Act, TrunkFlaw } from './numbers.ts'
import type { Item } from './schedule.ts'

/** What a channel heard and did. `heard`: a prompt's hash, and for how many ms; `ringing`: the tone of `ringingTone`, on and off. */
export type TranscriptLine = {
  at: number
  what: 'heard' | 'ringing' | 'pressed' | 'bridged' | 'hungUp'
  detail: string
  ms: number
}

export type Playback = { id: string; media: readonly Media[]; startedAt: number }
export type Channel = {
  id: string
  number: string
  cli: string
  trunk: string
  /** The trunk's host that was called, and those that its attempt had tried before. */
  host: string
  notHosts: readonly string[]
  /** The real time of dialling. Later times are this plus the time that passed in the network. */
  startedReal: number
  startedAt: number
  answeredAt: number | null
  alert: { at: number; isProgress: boolean } | null
  rang: boolean
  script: readonly Act[]
  flaw: TrunkFlaw | null
  talkMsMax: number
  playbacks: Playback[]
  bridgeId: string | null
  gone: boolean
  timers: Item[]
}
export type Bridge = {
  channelIds: readonly [string, string]
  playback: Playback | null
  recording: { id: string; startedAt: number } | null
}

export function lengthOf(media: readonly Media[]): number {
  return media.reduce((sum, { durationMs }) => sum + durationMs, 0)
}

export function newChannel(
  request: DialRequest,
  host: string,
  script: readonly Act[],
  { startedAt, flaw }: Pick<Channel, 'startedAt' | 'flaw'>,
): Channel {
  const { channelId: id, number, cli, trunk, talkMsMax, notHosts = [] } = request
  return {
    id,
    number,
    cli,
    trunk,
    host,
    notHosts,
    startedReal: Date.now(),
    startedAt,
    answeredAt: null,
    rang: false,
    alert: null,
    script,
    flaw,
    talkMsMax,
    playbacks: [],
    bridgeId: null,
    gone: false,
    timers: [],
  }
}
