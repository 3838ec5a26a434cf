import { expect, test } from 'vitest'
import { busyMessages } from '../../testing/traces.ts'
import { pcapOf } from './rules-pcap.ts'

const first = busyMessages[0]
if (!first) throw new Error('no messages')

/** The sum over its 16-bit words of whatever holds its own checksum (RFC 1071). */
function summed(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return sum
}

test('a capture file has one packet a message, with times, addresses, ports, checksums and the whole text', () => {
  let file = pcapOf(busyMessages)
  expect([file.readUInt32LE(0), file.readUInt32LE(20)]).toEqual([0xa1b2c3d4, 101])
  file = file.subarray(24)
  for (const { at, sent, text } of busyMessages) {
    expect(file.readUInt32LE(0) * 1000 + file.readUInt32LE(4) / 1000).toBe(at)
    const length = file.readUInt32LE(8)
    expect(file.readUInt32LE(12)).toBe(length)
    const packet = file.subarray(16, 16 + length)
    const [from, to] = [packet.subarray(12, 16).join('.'), packet.subarray(16, 20).join('.')]
    const ports = [packet.readUInt16BE(20), packet.readUInt16BE(22)]
    expect({ from, to, ports }).toEqual(
      sent
        ? { from: '10.0.0.1', to: '10.0.0.2', ports: [5160, 5060] }
        : { from: '10.0.0.2', to: '10.0.0.1', ports: [5060, 5160] },
    )
    expect(packet.readUInt16BE(2)).toBe(length)
    expect(summed(packet.subarray(0, 20))).toBe(0xffff)
    const pseudo = Buffer.concat([packet.subarray(12, 20), Buffer.from([0, 17]), packet.subarray(24, 26)])
    expect(summed(Buffer.concat([pseudo, packet.subarray(20)]))).toBe(0xffff)
    expect(packet.subarray(28).toString()).toBe(text)
    file = file.subarray(16 + length)
  }
  expect(file.length).toBe(0)
})

test('IPv6 is written as IPv6, and a name instead of an address as the address of nobody', () => {
  const packet = pcapOf([{ ...first, dialer: '[2001:db8::5:1]:5161', peer: 'sip.example.com' }]).subarray(40)
  expect(packet[0]).toBe(0x60)
  expect(packet.subarray(8, 24).toString('hex')).toBe('20010db8000000000000000000050001')
  expect(packet.subarray(24, 40).every((byte) => byte === 0)).toBe(true)
  expect([packet.readUInt16BE(40), packet.readUInt16BE(42)]).toEqual([5161, 5060])
})
