import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const near = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(net, bits, 'ipv4')
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')

function within(list: BlockList, host: string): boolean {
  const version = isIP(host)
  return version > 0 && list.check(host, version === 6 ? 'ipv6' : 'ipv4')
}

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || within(loopback, host)
}

/** This machine or a private network, to which names without dots belong too. */
export function isNear(host: string): boolean {
  if (isIP(host) === 0) return !host.includes('.')
  return within(near, host)
}

/** 'AB:CD:…' in the database's form. */
export function plainFingerprint(text: string): string {
  return text.replaceAll(':', '').toLowerCase()
}

export const demoOnlyHere = 'must be this machine (127.0.0.1) while demo accounts exist'
export const needsTls = 'is required for a dialer outside the private network: its traffic must not pass unencrypted'
