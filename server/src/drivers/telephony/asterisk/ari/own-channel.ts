import { AriError, type AriHttp } from './http.ts'

/** Where such channels wait in the dialer's dialplan (telephony/etc/dialer/extensions.conf). */
const waiting = { context: 'ghanti-watch', extension: 'lock', priority: '1' }

type OwnChannel = { query: Record<string, string>; variables?: Record<string, string> }

/**
 * Makes a channel that calls nobody. Its name is unique, so of several clients one makes it; false: it is there. It is asked for before it is tried:
 * Asterisk would answer later requests on the same connection with the conflict of this one, and a trunk that takes no call would look like a
 * call that exists.
 */
export async function makeOwnChannel(
  http: AriHttp,
  channelId: string,
  { query, variables = {} }: OwnChannel,
): Promise<boolean> {
  const path = `/channels/${channelId}`
  if (await http.did('GET', path)) return false
  try {
    await http.send('POST', path, { query: { ...query, ...waiting }, body: { variables } })
    return true
  } catch (error) {
    if (error instanceof AriError && error.status === 409) return false
    throw error
  }
}
