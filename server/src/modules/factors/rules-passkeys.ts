import { isIP } from 'node:net'

/** As long as a ticket of a sign-in. */
export const challengeMs = 5 * 60_000

export const unknownPasskey = 'is not known here: it was removed, or is another account’s'
export const wrongPasskey = 'was not accepted: try again'
export const challengeOver = 'took too long or was used before: try again'
export const counterBack = 'counts less than before, as a copy of it would: use another way to log in, and remove it'
export const needsPassword = 'needs your password this once: log in with it, then use the passkey'
export const tooMany = 'is one too many: remove one that you no longer use'
export const alreadyThere = 'is one of your passkeys already'
export const noAttestation = 'says who made it, which is not asked for: use another one'

/** Passkeys elsewhere. `hasCodes`: the account has another way in. */
export const elsewhere = (hosts: readonly string[], hasCodes = true): string =>
  hasCodes
    ? `belongs to ${hosts.join(', ')}: use a code, or add a passkey for this address`
    : `belongs to ${hosts.join(', ')}: log in there`

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** PUBLIC_URL by a name, which this machine always has: passkeys belong to names. */
export function namedUrl(publicUrl: string): URL {
  const url = new URL(publicUrl)
  if (loopback.has(url.hostname)) url.hostname = 'localhost'
  return url
}

export const isAddress = (host: string): boolean => isIP(host.replace(/^\[|\]$/g, '')) !== 0

/** Why there are no passkeys at this host, as it follows 'Passkey'. */
export function hostFault(host: string, publicUrl: string): string {
  const { hostname, origin } = namedUrl(publicUrl)
  if (!isAddress(host)) return `cannot be used at this address: open ${origin}, or use a code`
  const named = isAddress(hostname) ? '' : `: open ${origin}`
  return `needs a name instead of an IP address${named}`
}

/** Where a page of this host may stand: https, or as PUBLIC_URL does. On this machine any port, as development has one of its own. */
export function originsOf(host: string, publicUrl: string, claimed: string | null): string[] {
  const like = namedUrl(publicUrl)
  like.hostname = host
  const isLocal = claimed !== null && isLocalName(host) && URL.canParse(claimed) && new URL(claimed).hostname === host
  return [`https://${host}`, like.origin, ...(isLocal ? [claimed] : [])]
}
