import { isIP, isIPv6 } from 'node:net'
import type { SipMessage } from '../../drivers/telephony/driver.ts'

/** pcap's number for packets that begin with their IP header. */
const rawIp = 101
const udp = 17
const snapLength = 65_535

type Place = { address: Buffer; port: number }

/** Messages as a capture file that Wireshark opens: each is one UDP packet, whichever transport it used. */
export function pcapOf(messages: readonly SipMessage[]): Buffer {
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(snapLength, 16)
  header.writeUInt32LE(rawIp, 20)
  return Buffer.concat([header, ...messages.flatMap(recordOf)])
}

function recordOf({ at, sent, dialer, peer, text }: SipMessage): Buffer[] {
  const isV6 = [dialer, peer].some((place) => isIPv6(hostOf(place)))
  const [ours, theirs] = [placeOf(dialer, isV6), placeOf(peer, isV6)]
  const packet = packetOf(sent ? ours : theirs, sent ? theirs : ours, Buffer.from(text).subarray(0, 60_000))
  const header = Buffer.alloc(16)
  header.writeUInt32LE(Math.floor(at / 1000), 0)
  header.writeUInt32LE((at % 1000) * 1000, 4)
  header.writeUInt32LE(packet.length, 8)
  header.writeUInt32LE(packet.length, 12)
  return [header, packet]
}

function packetOf(from: Place, to: Place, payload: Buffer): Buffer {
  const length = 8 + payload.length
  const datagram = Buffer.alloc(8)
  datagram.writeUInt16BE(from.port, 0)
  datagram.writeUInt16BE(to.port, 2)
  datagram.writeUInt16BE(length, 4)
  const pseudo = Buffer.alloc(4)
  pseudo.writeUInt16BE(udp, 0)
  pseudo.writeUInt16BE(length, 2)
  const sum = checksum(Buffer.concat([from.address, to.address, pseudo, datagram, payload]))
  datagram.writeUInt16BE(sum === 0 ? 0xffff : sum, 6)
  return Buffer.concat([from.address.length === 4 ? ipv4(from, to, length) : ipv6(from, to, length), datagram, payload])
}

function ipv4(from: Place, to: Place, length: number): Buffer {
  const header = Buffer.alloc(20)
  header[0] = 0x45
  header.writeUInt16BE(20 + length, 2)
  header[8] = 64
  header[9] = udp
  from.address.copy(header, 12)
  to.address.copy(header, 16)
  header.writeUInt16BE(checksum(header), 10)
  return header
}

function ipv6(from: Place, to: Place, length: number): Buffer {
  const header = Buffer.alloc(8)
  header[0] = 0x60
  header.writeUInt16BE(length, 4)
  header[6] = udp
  header[7] = 64
  return Buffer.concat([header, from.address, to.address])
}

/** RFC 1071. */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 2) sum += ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}

/** A host name, or a missing address, becomes the unspecified address. */
function placeOf(place: string, isV6: boolean): Place {
  const host = hostOf(place)
  const port = Number(place.slice(place.lastIndexOf(':') + 1))
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536 && !place.endsWith(']')
  return { address: isV6 ? bytesOfV6(host) : bytesOfV4(host), port: isPort ? port : 5060 }
}

function hostOf(place: string): string {
  if (place.startsWith('[')) return place.slice(1, place.indexOf(']'))
  const colon = place.indexOf(':')
  return colon === -1 ? place : place.slice(0, colon)
}

function bytesOfV4(host: string): Buffer {
  return isIP(host) === 4 ? Buffer.from(host.split('.').map(Number)) : Buffer.alloc(4)
}

function bytesOfV6(host: string): Buffer {
  const bytes = Buffer.alloc(16)
  if (!isIPv6(host)) return bytes
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  for (const [index, group] of groups(head).entries()) bytes.writeUInt16BE(group, 2 * index)
  const last = groups(tail ?? '')
  for (const [index, group] of last.entries()) bytes.writeUInt16BE(group, 2 * (8 - last.length + index))
  return bytes
}
