import { lookup as lookUp, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { codeOf } from '../../../lib/error-code.ts'

/** Resolves names by DNS alone, as PJSIP does, and as the other programs of this machine do, with its hosts file. */
export type Names = {
  byDns(host: string): Promise<readonly string[]>
  byMachine(host: string): Promise<unknown>
}

export function systemNames(): Names {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  return { byDns: (host) => resolver.resolve4(host), byMachine: (host) => lookUp(host, { family: 4 }) }
}

/** DNS's answers for a name that does not exist, or has no IPv4 address, which the dialer's SIP needs. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

/** Why a trunk's host leads nowhere, as a sentence. Null: it is an address, or a name that has one. */
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
