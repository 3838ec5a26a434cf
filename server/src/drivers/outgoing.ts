/** Where requests of ours may go that people have typed the address of: to public addresses, and to those the operator allows. */
import * as dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

export type AllowedHosts = {
  /** Nothing beyond this machine: a demo's. */
  loopbackOnly: boolean
  /** Names and addresses that may be private, as they stand in the address; small letters. */
  privateHosts: readonly string[]
}

export class ForbiddenAddress extends Error {
  constructor(address: string) {
    super(`${address} is not a public address, and the operator has not allowed it`)
  }
}

/** A name is judged by what it resolves to when it is connected to, so that it cannot change in between. */
export function lookupFor(allowed: AllowedHosts): LookupFunction {
  return (host, options, callback) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const forbidden = found.find(({ address }) => !mayReach(allowed, host, address))
      const [first] = found
      if (forbidden || !first) return callback(new ForbiddenAddress(host), [])
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}

/** An address written as such is not looked up. Throws ForbiddenAddress. */
export function requireAllowed(allowed: AllowedHosts, host: string): void {
  const plain = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(plain) > 0 && !mayReach(allowed, plain, plain)) throw new ForbiddenAddress(plain)
}

function mayReach({ loopbackOnly, privateHosts }: AllowedHosts, host: string, address: string): boolean {
  const range = ipaddr.process(address).range()
  if (loopbackOnly) return range === 'loopback'
  return range === 'unicast' || privateHosts.includes(host.toLowerCase())
}
