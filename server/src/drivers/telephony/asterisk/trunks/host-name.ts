import { lookup as lookUp, Resolver } from 'node:dns/promises'
import type { Trunk } from '../../driver.ts'
import { hostsMax } from '../../../../lib/trunk-limits.ts'
import type { Hop } from './hops.ts'
import { isIP } from 'node:net'
import { codeOf } from '../../../../lib/error-code.ts'

/** Looks names up in DNS alone, as PJSIP does, or like other programs of this machine, hosts file included. */
export type Names = {
  byDns(host: string): Promise<readonly string[]>
  byMachine(host: string): Promise<unknown>
  /**
   * RFC 3263: by NAPTR, else by SRV. With their addresses, except over TLS, where the certificate must match the host's name. Empty when there are
   * none.
   */
  sipServers(domain: string, transport: Trunk['transport']): Promise<readonly Hop[]>
}

/** `servers` replaces those that this machine uses. */
export function systemNames(servers?: readonly string[]): Names {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return {
    byDns: (host) => resolver.resolve4(host),
    byMachine: (host) => lookUp(host, { family: 4 }),
    sipServers: (domain, transport) => sipServers(resolver, domain, transport),
  }
}

const services = { udp: 'SIP+D2U', tcp: 'SIP+D2T', tls: 'SIPS+D2T' } as const
const prefixes = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' } as const

async function sipServers(resolver: Resolver, domain: string, transport: Trunk['transport']): Promise<Hop[]> {
  const pointers = await noneIsEmpty(resolver.resolveNaptr(domain))
  const [pointer] = pointers
    .filter(({ flags, service }) => flags.toLowerCase() === 's' && service.toUpperCase() === services[transport])
    .toSorted((a, b) => a.order - b.order || a.preference - b.preference)
  const found = await noneIsEmpty(resolver.resolveSrv(pointer?.replacement ?? `${prefixes[transport]}.${domain}`))
  const best = found.toSorted((a, b) => a.priority - b.priority || a.name.localeCompare(b.name)).slice(0, hostsMax)
  const hops = await Promise.all(
    best.map(async ({ name, port, priority, weight }) => {
      const addresses = transport === 'tls' ? [name] : await noneIsEmpty(resolver.resolve4(name))
      return addresses.toSorted().map((host) => ({ host, port, priority, weight: Math.max(weight, 0.01) }))
    }),
  )
  return hops.flat().slice(0, hostsMax)
}

/** DNS knows the name but has no such record. */
async function noneIsEmpty<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked
  } catch (error) {
    if (unknownCodes.has(codeOf(error) ?? '')) return []
    throw error
  }
}

/** DNS's codes for a name that does not exist or has no IPv4 address, which the dialer's SIP needs. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Why a trunk's host cannot be reached by its name, as a sentence; null when it is an address or its name has one. */
export async function unresolvable(host: string, names: Names): Promise<string | null> {
  if (isIP(host) !== 0) return null
  const code = await names.byDns(host).then((found) => (found.length > 0 ? null : 'ENODATA'), reasonOf)
  if (code === null) return null
  if (!unknownCodes.has(code)) return `DNS does not answer for its host ${host} (${code})`
  const isLocal = await names.byMachine(host).then(
    () => true,
    () => false,
  )
  return isLocal
    ? `DNS does not know its host ${host}, only this machine's own list does: a dialer asks DNS alone, so enter its address`
    : `DNS does not know its host ${host}`
}

const reasonOf = (error: unknown): string => codeOf(error) ?? 'no reason given'
