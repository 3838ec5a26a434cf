import { BlockList, isIP } from 'node:net'

/** Where no SMS provider is: this machine, private and link-local networks, what is no host at all. */
const notOutside = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  notOutside.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  notOutside.addSubnet(network, bits, 'ipv6')

/** The host of an address to which the number is added, or what is wrong with it (DESIGN §8). What a name leads to is looked at when it is called. */
export function smsHost(address: string): { host: string } | { problem: string } {
  const [one, other] = ['9800000001', '9800000002'].map((phone) => URL.parse(address.replaceAll('{PHONE}', phone)))
  if (!one || !other) return { problem: 'is not an address' }
  if (one.host !== other.host) return { problem: 'must have {PHONE} behind its host' }
  if (one.username !== '' || one.password !== '') return { problem: 'must not have a user name before its host' }
  if (!['', '80', '443'].includes(one.port)) return { problem: 'must be on port 80 or 443' }
  if (!isOutside(one.hostname)) return { problem: 'must not lead to this server or a private network' }
  return { host: one.hostname }
}

/** `hostname` as URL writes it: every way to write an IPv4 address has become the one with dots, IPv6 stands in brackets. */
function isOutside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const version = isIP(host)
  if (version === 0) return host !== 'localhost' && !host.endsWith('.localhost')
  return !notOutside.check(host, version === 4 ? 'ipv4' : 'ipv6')
}
