import type { LiveChannel } from '../../driver.ts'
import * as z from 'zod'

/** Asterisk's messages, as far as the driver reads them. */

/** '2026-11-21T22:33:08.594+0000' as Unix ms. */
const time = z.pipe(
  z.string(),
  z.transform((text) => {
    const ms = Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    if (Number.isNaN(ms)) throw new Error(`not a time: ${text}`)
    return ms
  }),
)
const text = z.string()
const number = z.number()

const Channel = z.object({
  id: text,
  name: text,
  state: text,
  creationtime: time,
  /** SIP's Call-ID. */
  protocol_id: z.optional(text),
  dialplan: z.object({ app_name: text, app_data: text }),
  /** The note of the dialplan (noted-sound.ts). */
  accountcode: z.optional(text),
})
export type AriChannel = z.output<typeof Channel>
export const Channels = z.array(Channel)
export const Bridges = z.array(z.object({ id: text, name: text, channels: z.array(text) }))
export const Info = z.object({ system: z.object({ version: text }), status: z.object({ startup_time: time }) })
/** Jitter in seconds. `rtt` is 0 until the far end has reported. */
export const RtpStatistics = z.object({
  rxcount: number,
  rxploss: number,
  rxjitter: number,
  txcount: number,
  txploss: number,
  txjitter: number,
  rtt: number,
})
export const Variable = z.object({ value: text })
export const Pong = z.object({ timestamp: time })
const Endpoint = z.object({ resource: text, state: z.optional(text) })
export type Endpoint = z.output<typeof Endpoint>
export const Endpoints = z.array(Endpoint)
export const LogChannels = z.array(z.object({ channel: text }))
export const StoredNames = z.array(z.object({ name: text }))

const playback = z.object({ id: text, target_uri: text, state: text })
const recording = z.object({ name: text, target_uri: text, duration: z.optional(number) })
const timestamp = time
/** What it is not is left out: the database has no place for it, and the call is settled all the same. */
const oneOf = (min: number, max: number) =>
  z.optional(
    z.pipe(
      number,
      z.transform((said) => (Number.isInteger(said) && said >= min && said <= max ? said : undefined)),
    ),
  )
const causes = { cause: oneOf(0, 127), tech_cause: oneOf(100, 699), soft: z.optional(z.boolean()) }

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('StasisStart'), timestamp, channel: Channel }),
  z.object({ type: z.literal('StasisEnd'), timestamp, channel: Channel }),
  z.object({ type: z.literal('ChannelStateChange'), timestamp, channel: Channel }),
  z.object({ type: z.literal('Dial'), timestamp, dialstatus: text, forward: z.optional(text), peer: Channel }),
  z.object({ type: z.literal('ChannelDtmfReceived'), timestamp, digit: text, channel: Channel }),
  z.object({ type: z.literal('ChannelHangupRequest'), timestamp, ...causes, channel: Channel }),
  z.object({ type: z.literal('ChannelDestroyed'), timestamp, ...causes, channel: Channel }),
  z.object({
    type: z.literal('ChannelLeftBridge'),
    timestamp,
    bridge: z.object({ id: text, name: text, channels: z.array(text) }),
  }),
  z.object({ type: z.literal('PlaybackFinished'), timestamp, playback }),
  z.object({ type: z.literal('RecordingStarted'), timestamp, recording }),
  z.object({ type: z.literal('RecordingFinished'), timestamp, recording }),
  z.object({ type: z.literal('RecordingFailed'), timestamp, recording }),
  z.object({ type: z.literal('ApplicationReplaced'), timestamp }),
])
export type AriEvent = z.output<typeof Event>

export const eventTypes: readonly AriEvent['type'][] = [
  'StasisStart',
  'StasisEnd',
  'ChannelStateChange',
  'Dial',
  'ChannelDtmfReceived',
  'ChannelHangupRequest',
  'ChannelDestroyed',
  'ChannelLeftBridge',
  'PlaybackFinished',
  'RecordingStarted',
  'RecordingFinished',
  'RecordingFailed',
  'ApplicationReplaced',
]
const known = new Set<string>(eventTypes)
const AnyEvent = z.object({ type: text })

/** Null for an event that was not subscribed to. */
export function eventOf(message: string): AriEvent | null {
  const parsed: unknown = JSON.parse(message)
  return known.has(AnyEvent.parse(parsed).type) ? Event.parse(parsed) : null
}

export function liveOf({ id, state }: AriChannel): LiveChannel {
  return { channelId: id, state: state === 'Up' ? 'up' : state === 'Ringing' ? 'ringing' : 'dialling' }
}
