/**
 * Recorded RTP for SIPp: one SSRC, running sequence numbers, PCMU sound, and keys as RFC 4733 events in between. SIPp's own play_dtmf cannot be
 * used: it sends events as payload type 96 while the dialer offers 101, so that no such key arrives.
 */

/** telephone-event as Asterisk offers it. */
export const eventPayloadType = 101
export const keys = '0123456789*#'

const packetMs = 20
const samplesPerPacket = 160
const packetsPerSecond = 1000 / packetMs
/** A key lasts 180 ms; its end is sent three times. */
const keyPackets = 9
const keyEndPackets = 3

const pcapHead = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex')

/** When the key is pressed, in seconds from the beginning. */
export type Press = { key: string; at: number }

function ulaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const value = Math.min(Math.abs(sample), 32_635) + 0x84
  let exponent = 7
  for (let mask = 0x4000; exponent > 0 && !(value & mask); mask >>= 1) exponent--
  return ~(sign | (exponent << 4) | ((value >> (exponent + 3)) & 15)) & 255
}

function tone(hertz: readonly number[], fromSample: number): Buffer {
  const wave = (of: number, n: number): number => Math.sin((2 * Math.PI * of * n) / 8000)
  const sampleAt = (n: number): number =>
    Math.round((8000 / hertz.length) * hertz.reduce((sum, of) => sum + wave(of, n), 0))
  return Buffer.from(Array.from({ length: samplesPerPacket }, (_, n) => ulaw(sampleAt(fromSample + n))))
}

function keyEvent(key: string, packet: number): Buffer {
  const ended = packet >= keyPackets - 1
  const payload = Buffer.from([keys.indexOf(key), (ended ? 0x80 : 0) | 10, 0, 0])
  payload.writeUInt16BE((Math.min(packet, keyPackets - 1) + 1) * samplesPerPacket, 2)
  return payload
}

type Packet = { tick: number; sequence: number; type: number; marker: boolean; timestamp: number; payload: Buffer }

/** pcap record, Ethernet, IPv4 and UDP around RTP; SIPp inserts its own addresses. */
function framed({ tick, sequence, type, marker, timestamp, payload }: Packet): Buffer {
  const rtp = Buffer.alloc(12)
  rtp[0] = 0x80
  rtp[1] = (marker ? 0x80 : 0) | type
  rtp.writeUInt16BE(sequence & 0xffff, 2)
  rtp.writeUInt32BE(timestamp, 4)
  rtp.writeUInt32BE(0x67686e74, 8)
  const rtpLength = rtp.length + payload.length
  const record = Buffer.alloc(16)
  const micros = tick * packetMs * 1000
  record.writeUInt32LE(Math.floor(micros / 1e6), 0)
  record.writeUInt32LE(micros % 1e6, 4)
  record.writeUInt32LE(14 + 28 + rtpLength, 8)
  record.writeUInt32LE(14 + 28 + rtpLength, 12)
  const frame = Buffer.alloc(14 + 28)
  frame.writeUInt16BE(0x0800, 12)
  frame[14] = 0x45
  frame.writeUInt16BE(28 + rtpLength, 16)
  frame[22] = 64
  frame[23] = 17
  frame.writeUInt32BE(0x7f000001, 26)
  frame.writeUInt32BE(0x7f000001, 30)
  frame.writeUInt16BE(6000, 34)
  frame.writeUInt16BE(6000, 36)
  frame.writeUInt16BE(8 + rtpLength, 38)
  return Buffer.concat([record, frame, rtp, payload])
}

/** An in-band key: its two frequencies for 200 ms, after a second of silence. */
export function soundingKey(hertz: readonly [number, number]): Buffer {
  const tones = Array.from({ length: 3 * packetsPerSecond }, (_, tick) =>
    tick >= packetsPerSecond && tick < 1.2 * packetsPerSecond ? hertz : [0],
  )
  const packets = tones.map((hertzNow, tick) => {
    const timestamp = tick * samplesPerPacket
    return framed({
      tick,
      sequence: tick + 1,
      type: 0,
      marker: tick === 0,
      timestamp,
      payload: tone(hertzNow, timestamp),
    })
  })
  return Buffer.concat([pcapHead, ...packets])
}

/** A pcap file of `seconds` of a tone, or of silence at 0 Hz, with keys in between. */
export function recordedRtp(seconds: number, hertz: number, presses: readonly Press[] = []): Buffer {
  const starts = new Map(presses.map(({ key, at }) => [Math.round(at * packetsPerSecond), key]))
  const parts: Buffer[] = [pcapHead]
  let pressed: { key: string; from: number } | null = null
  for (let tick = 0; tick < seconds * packetsPerSecond; tick++) {
    const begins = starts.get(tick)
    if (begins !== undefined) pressed = { key: begins, from: tick }
    const sequence = tick + 1
    const from: number = pressed?.from ?? tick
    const timestamp = from * samplesPerPacket
    if (pressed === null) {
      parts.push(framed({ tick, sequence, type: 0, marker: tick === 0, timestamp, payload: tone([hertz], timestamp) }))
      continue
    }
    const payload = keyEvent(pressed.key, tick - from)
    parts.push(framed({ tick, sequence, type: eventPayloadType, marker: tick === from, timestamp, payload }))
    if (tick - from === keyPackets + keyEndPackets - 2) pressed = null
  }
  return Buffer.concat(parts)
}
