import { createHmac } from 'node:crypto'
import { sipUserForm } from '@ghanti/contract/trunks.ts'
import type { Trunk } from '../driver.ts'

type Fields = Record<string, string>
/** A trunk's PJSIP objects, all under its one id. Null: it has none. */
export type TrunkObjects = { auth: Fields | null; aor: Fields; endpoint: Fields; registration: Fields | null }

/** Whether the application set it, by the form of idOf's names. */
export const isOf = (app: string, id: string): boolean =>
  id.startsWith(`${app}-`) && /^[a-z0-9-]*-[0-9a-f]{8,16}$/.test(id.slice(app.length + 1))

/**
 * The trunk's name in PJSIP; another name is another id. Nobody can guess it without the dialer's secret. Asterisk itself follows a 302 of the
 * far end, so whoever knew an id could make it call any number over that trunk.
 */
export function idOf(app: string, secret: string, name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
  return `${app}-${readable}-${createHmac('sha256', secret).update(name).digest('hex').slice(0, 16)}`
}

/** An unreachable peer is noticed within this time plus the time-out. */
const qualifySeconds = '10'
const qualifyTimeoutSeconds = '3.0'
/** When the dialer dies during a call, its operator ends that call within this time and stops billing. */
const sessionSeconds = '90'

/** No call could use the trunk. */
export class TrunkError extends Error {}

/** Throws TrunkError. */
export function objectsOf(id: string, trunk: Trunk): TrunkObjects {
  checkAddress(trunk)
  const { host, port, transport, user, secret } = trunk
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const address = transport === 'udp' ? place : `${place};transport=${transport}`
  const signsIn = user !== '' && secret !== ''
  return {
    auth: signsIn ? { auth_type: 'userpass', username: user, password: secret } : null,
    aor: {
      contact: `sip:${address}`,
      qualify_frequency: qualifySeconds,
      qualify_timeout: qualifyTimeoutSeconds,
    },
    endpoint: {
      aors: id,
      transport: `transport-${transport}`,
      context: 'from-trunk', // refuses whatever comes in
      disallow: 'all',
      allow: trunk.codecs.join(','),
      direct_media: 'no',
      rtp_symmetric: 'yes',
      force_rport: 'yes',
      dtmf_mode: 'auto',
      rtp_keepalive: '10', // silence is not sent: between prompts there would be no packets
      timers: 'always',
      timers_sess_expires: sessionSeconds,
      timers_min_se: sessionSeconds,
      trust_id_outbound: 'yes',
      ...(signsIn ? { outbound_auth: id } : {}),
      ...callerHeaders(trunk),
      ...(isLoopback(host) ? { media_address: '127.0.0.1', bind_rtp_to_media_address: 'yes' } : {}),
    },
    registration: trunk.registers
      ? {
          server_uri: `sip:${address}`,
          client_uri: `sip:${user}@${address}`,
          contact_user: user,
          outbound_auth: id,
          transport: `transport-${transport}`,
          expiration: '300',
          retry_interval: '30',
          forbidden_retry_interval: '60',
          auth_rejection_permanent: 'no',
          max_retries: '1000000000',
          max_random_initial_delay: '0',
        }
      : null,
  }
}

/** From contains the caller ID, unless it has to name the user. */
function callerHeaders({ user, cliHeader }: Trunk): Fields {
  const header = cliHeader === 'auto' ? (user === '' ? 'from' : 'asserted') : cliHeader
  return {
    ...(header === 'asserted' ? { from_user: user } : {}),
    ...(header === 'from' ? {} : { send_pai: 'yes' }),
  }
}

function isLoopback(host: string): boolean {
  return /^(127\.|localhost$)/.test(host)
}

function checkAddress({ host, port, user, secret, codecs, registers, cliHeader }: Trunk): void {
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$|^[0-9a-fA-F:.]+$/.test(host))
    throw new TrunkError(`its host cannot be one: ${host}`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TrunkError(`its port cannot be one: ${port}`)
  if (!sipUserForm.test(user)) throw new TrunkError(`its user cannot be one: ${user}`)
  if (codecs.length === 0 || !codecs.every((codec) => /^[a-z0-9]+$/.test(codec)))
    throw new TrunkError(`its codecs cannot be: ${codecs.join(', ') || 'none'}`)
  if (cliHeader === 'asserted' && user === '')
    throw new TrunkError('its caller ID is to be asserted alone, but there is no user for From to name')
  if (registers && (user === '' || secret === ''))
    throw new TrunkError('it is to register, but user or secret is missing')
}
