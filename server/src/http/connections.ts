import type { Server } from 'node:http'
import { BlockList, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

type ConnectionRules = {
  /** Whose connections are counted together; null: not counted. */
  networkOf(ip: string): string | null
  /** How many a network may have open. An office of a hundred people has a few hundred. */
  ofNetworkMax?: number
  /** Told of a network that had too many, at most once a minute. */
  onRefused(refused: { network: string; connections: number }): void
}

const toldEveryMs = 60_000

/**
 * A network has a limited number of connections, so that one that opens them without end leaves memory and file descriptors to others. What is beyond it
 * is closed at once, before it has asked anything.
 */
export function limitConnections(server: Server, { networkOf, ofNetworkMax = 1000, onRefused }: ConnectionRules): void {
  const open = new Map<string, number>()
  let toldAt = -Infinity
  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if (network === null) return
    const others = open.get(network) ?? 0
    if (others >= ofNetworkMax) {
      socket.destroy()
      if (performance.now() - toldAt < toldEveryMs) return
      toldAt = performance.now()
      onRefused({ network, connections: others })
      return
    }
    open.set(network, others + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}

/** Whether connections from there are those of many people or of this installation: a proxy's, or from a private network. */
export function isShared(trustedProxies: readonly string[]): (ip: string) => boolean {
  const proxies = new BlockList()
  for (const proxy of trustedProxies) {
    const [address = '', bits] = proxy.split('/')
    if (!ipaddr.isValid(address)) continue // 'loopback' and its like are private
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else if (/^\d{1,3}$/.test(bits)) proxies.addSubnet(address, Number(bits), family)
  }
  return (ip) => {
    if (!ipaddr.isValid(ip)) return true
    const address = ipaddr.process(ip)
    return address.range() !== 'unicast' || proxies.check(address.toString(), address.kind())
  }
}
