/** Where requests to addresses that people typed may go: public addresses, and those that the platform's operator allows. */
import * as dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AllowedHosts = {
  /** For a demo: nothing beyond this machine. */
  loopbackOnly: boolean
  /** Names and addresses that may be private, as written in the address, in lower case. */
  privateHosts: readonly string[]
  /** Public addresses that only those hosts may have: this machine's own. */
  ownAddresses?: ReadonlySet<string>
}

export class ForbiddenAddress extends Error {
  constructor(address: string) {
    super(`${address} is not a public address, and the operator has not allowed it`)
  }
}

type Resolve = (host: string, found: (error: NodeJS.ErrnoException | null, found: dns.LookupAddress[]) => void) => void
const bySystem: Resolve = (host, found) => dns.lookup(host, { all: true }, found)

/** Checks the address to which a name resolves at the moment of connecting, so that it cannot change in between. */
export function lookupFor(allowed: AllowedHosts, resolve = bySystem): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (error, found) => {
      if (error) return callback(error, [])
      const forbidden = found.find(({ address }) => !mayReach(allowed, host, address))
      const [first] = found
      if (forbidden || !first) return callback(new ForbiddenAddress(host), [])
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

/** For literal addresses, which are not looked up. Throws ForbiddenAddress. */
export function requireAllowed(allowed: AllowedHosts, host: string): void {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(plain) > 0 && !mayReach(allowed, plain, plain)) throw new ForbiddenAddress(plain)
}

/**
 * Asks DNS without the process's threads, which a slow name server of somebody else's would otherwise occupy. Names of `privateHosts` are resolved
 * by the system, including its hosts file.
 */
export function resolverFor({ privateHosts }: AllowedHosts, servers: readonly string[] = []): Resolve {
  const resolver = new dns.promises.Resolver({ timeout: 2000, tries: 1 })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = async (host: string): Promise<dns.LookupAddress[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    )
    if (found.length === 0) throw Object.assign(new Error(`${host} is not found`), { code: 'ENOTFOUND' })
    return found
  }
  return (host, found) => {
    if (privateHosts.includes(host.toLowerCase())) bySystem(host, found)
    else
      ask(host).then(
        (addresses) => found(null, addresses),
        (error: Error) => found(error, []),
      )
  }
}

function mayReach(allowed: AllowedHosts, host: string, address: string): boolean {
  const { loopbackOnly, privateHosts, ownAddresses } = allowed
  const plain = ipaddr.process(address)
  if (loopbackOnly) return plain.range() === 'loopback'
  if (privateHosts.includes(host.toLowerCase())) return true
  return isPublic(plain) && ownAddresses?.has(plain.toString()) !== true
}

/** For IPv6 only routed addresses: ::127.0.0.1 and its like are in no range of their own. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  return !(address instanceof ipaddr.IPv6) || (address.parts[0] ?? 0) >> 13 === 1
}
