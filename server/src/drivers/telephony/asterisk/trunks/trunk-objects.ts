import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { hostAndPort, sipUserForm } from '@ghanti/contract/sip-options.ts'
import type { Trunk } from '../../driver.ts'
import type { Hop } from './hops.ts'

type Fields = Record<string, string>
/** A trunk's PJSIP objects by kind; `nthId` names those of one kind. */
export type TrunkObjects = {
  auth: readonly Fields[]
  aor: readonly Fields[]
  endpoint: readonly Fields[]
  identify: readonly Fields[]
  registration: readonly Fields[]
}

/** The first object of a kind has the trunk's own id. */
export const nthId = (id: string, n: number): string => (n === 0 ? id : `${id}-${n + 1}`)

/** Whether the application created it, according to its name (`idOf`). */
export const isOf = (app: string, id: string): boolean =>
  id.startsWith(`${app}-`) && /^[a-z0-9-]*-[0-9a-f]{8,16}$/.test(id.slice(app.length + 1))

/**
 * The trunk's id in PJSIP; each name has its own. Nobody can guess it without the dialer's secret: Asterisk itself follows a 302 of the far end, so
 * whoever knew an id could make it call any number over that trunk.
 */
export function idOf(app: string, secret: string, name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
  return `${app}-${readable}-${createHmac('sha256', secret).update(name).digest('hex').slice(0, 16)}`
}

/** An unreachable peer is noticed within this time plus the timeout. */
const qualifySeconds = '10'
const qualifyTimeoutSeconds = '3.0'
const rel100 = { supported: 'yes', off: 'no', required: 'required' } as const
const timers = { always: 'always', offered: 'yes', off: 'no' } as const
/** Whoever has put a call on hold may send no sound for a while. */
const heldTimes = 10

export class TrunkError extends Error {}

/** `hops`: where its calls go. `peers`: the known addresses of these. Throws TrunkError. */
export function objectsOf(id: string, trunk: Trunk, hops: readonly Hop[], peers: readonly string[]): TrunkObjects {
  checkAddress(trunk)
  const { user, secret, options } = trunk
  const auth = {
    auth_type: 'userpass',
    username: options.authUser || user,
    password: secret,
    supported_algorithms_uac: 'SHA-256,MD5',
  }
  const matches = [...new Set([...peers, ...options.addresses])]
  return {
    auth: signsIn(trunk) ? [auth] : [],
    aor: hops.map((hop) => ({
      contact: uriOf(at(trunk, hop)),
      qualify_frequency: options.sendsOptions ? qualifySeconds : '0',
      qualify_timeout: qualifyTimeoutSeconds,
      ...proxyOf(trunk, hop),
    })),
    endpoint: [endpointOf(id, trunk, hops, peers)],
    // The operator's OPTIONS are answered and its calls refused, without asking for a password. One object each: of several addresses in one, astdb keeps the last.
    identify: matches.map((match) => ({ endpoint: id, match })),
    registration: trunk.registers
      ? hops.flatMap((hop) => [user, ...options.aors].map((aor) => registrationOf(id, trunk, hop, aor)))
      : [],
  }
}

/** Through a proxy, requests name the trunk's host; otherwise the hop. */
const at = (trunk: Trunk, { host, port }: Hop): Trunk =>
  trunk.options.outboundProxy === '' ? { ...trunk, host, port } : trunk

/** The transport of the dialer's pjsip.conf; each client certificate has one of its own there. */
export function transportOf({ transport, options }: Pick<Trunk, 'transport' | 'options'>): string {
  return options.clientCertificate === '' ? `transport-${transport}` : `transport-tls-${options.clientCertificate}`
}

const placeOf = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

function uriOf({ host, port, transport }: Trunk, user = ''): string {
  const place = placeOf(host, port)
  return `sip:${user && `${user}@`}${transport === 'udp' ? place : `${place};transport=${transport}`}`
}

function proxyOf(trunk: Trunk, { host, port }: Hop): Fields {
  return trunk.options.outboundProxy === '' ? {} : { outbound_proxy: `${uriOf({ ...trunk, host, port })};lr` }
}

const signsIn = ({ user, secret }: Trunk): boolean => user !== '' && secret !== ''

function endpointOf(id: string, trunk: Trunk, hops: readonly Hop[], peers: readonly string[]): Fields {
  const [first] = hops
  const { options } = trunk
  const { fromDomain, contactUser, sessionSeconds } = options
  return {
    aors: hops.map((_, n) => nthId(id, n)).join(','),
    transport: transportOf(trunk),
    context: 'from-trunk', // refuses whatever comes in
    disallow: 'all',
    allow: trunk.codecs.map((codec) => `${codec}:${options.ptimeMs}`).join(','),
    use_ptime: 'yes',
    outgoing_call_offer_pref: 'local_merge', // all of them, in their order
    direct_media: 'no',
    rtp_symmetric: 'yes',
    force_rport: 'yes',
    dtmf_mode: options.dtmf,
    rewrite_contact: options.rewriteContact ? 'yes' : 'no',
    rtp_timeout: String(options.rtpTimeoutSeconds),
    rtp_timeout_hold: String(options.rtpTimeoutSeconds * heldTimes),
    tos_audio: String(options.rtpDscp << 2), // the byte whose upper six bits are the DSCP
    rtp_keepalive: '10', // silence is not sent, so between prompts there would be no packets
    '100rel': rel100[options.rel100],
    timers: timers[options.sessionTimers],
    timers_sess_expires: String(sessionSeconds),
    timers_min_se: '90',
    trust_id_outbound: 'yes',
    ...(options.srtp ? { media_encryption: 'sdes' } : {}),
    ...(options.userPhone ? { user_eq_phone: 'yes' } : {}),
    ...(fromDomain === '' ? {} : { from_domain: fromDomain }),
    ...(contactUser === '' ? {} : { contact_user: contactUser }),
    ...(signsIn(trunk) ? { outbound_auth: id } : {}),
    ...(first ? proxyOf(trunk, first) : {}),
    ...callerHeaders(trunk),
    ...(peers.length > 0 && peers.every((peer) => isIP(peer) === 6) ? { rtp_ipv6: 'yes' } : {}),
    ...loopbackMedia(hops),
  }
}

function registrationOf(id: string, trunk: Trunk, hop: Hop, aor: string): Fields {
  const { user, options } = trunk
  const domain = options.fromDomain || (options.byDns ? trunk.host : '')
  return {
    server_uri: uriOf(at(trunk, hop)),
    client_uri: domain === '' ? uriOf(at(trunk, hop), aor) : `sip:${aor}@${domain}`,
    contact_user: aor === user && options.contactUser !== '' ? options.contactUser : aor,
    outbound_auth: id,
    transport: transportOf(trunk),
    expiration: '300',
    retry_interval: '30',
    forbidden_retry_interval: '60',
    auth_rejection_permanent: 'no',
    max_retries: '1000000000',
    max_random_initial_delay: '0',
    ...proxyOf(trunk, hop),
  }
}

/** Where the caller ID goes: into From, unless that must name the user, into a header of its own, or both. */
function callerPlaces({ user, cliHeader }: Trunk): 'from' | 'asserted' | 'both' {
  return cliHeader === 'auto' ? (user === '' ? 'from' : 'asserted') : cliHeader
}

function callerHeaders(trunk: Trunk): Fields {
  const places = callerPlaces(trunk)
  const { identityHeader } = trunk.options
  return {
    ...(places === 'asserted' ? { from_user: trunk.user } : {}),
    ...(places === 'from' || identityHeader === 'preferred'
      ? {}
      : { [identityHeader === 'asserted' ? 'send_pai' : 'send_rpid']: 'yes' }),
  }
}

/** Headers of one call that PJSIP does not write by itself. */
export function headersOf(trunk: Trunk, caller: string): Fields {
  const { identityHeader, diversion, fromDomain, userPhone } = trunk.options
  const domain = fromDomain || placeOf(trunk.host, trunk.port).replace(/:\d+$/, '')
  const phone = (number: string) => (userPhone && /^\+?[\d*#]+$/.test(number) ? ';user=phone' : '')
  const address = (number: string) =>
    `<sip:${encodeURIComponent(number).replace('%2B', '+')}@${domain}${phone(number)}>`
  return {
    ...(identityHeader === 'preferred' && callerPlaces(trunk) !== 'from'
      ? { 'P-Preferred-Identity': address(caller) }
      : {}),
    ...(diversion === '' ? {} : { Diversion: `${address(diversion)};reason=unconditional;privacy=off;screen=no` }),
  }
}

/** An operator on this machine must not be told of another address of it. */
function loopbackMedia(hops: readonly Hop[]): Fields {
  const address = ['127.0.0.1', '::1'].find((one) => hops.every(({ host }) => isLoopback(host, one)))
  return address === undefined ? {} : { media_address: address, bind_rtp_to_media_address: 'yes' }
}

const isLoopback = (host: string, as: string): boolean =>
  as === '::1' ? host === '::1' : /^(127\.|localhost$)/.test(host)

const isPlainHost = (host: string): boolean => isIP(host) !== 0 || /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(host)

function checkAddress({ host, port, user, secret, codecs, registers, cliHeader, options }: Trunk): void {
  if (!isPlainHost(host)) throw new TrunkError(`its host cannot be one: ${host}`)
  for (const domain of [
    options.fromDomain,
    hostAndPort(options.outboundProxy)?.host ?? options.outboundProxy,
    ...options.hosts.map((one) => hostAndPort(one)?.host ?? one),
  ])
    if (domain !== '' && !isPlainHost(domain)) throw new TrunkError(`its host cannot be one: ${domain}`)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TrunkError(`its port cannot be one: ${port}`)
  for (const one of [user, options.contactUser, ...options.aors])
    if (!sipUserForm.test(one)) throw new TrunkError(`its user cannot be one: ${one}`)
  if (codecs.length === 0 || !codecs.every((codec) => /^[a-z0-9]+$/.test(codec)))
    throw new TrunkError(`its codecs cannot be: ${codecs.join(', ') || 'none'}`)
  if (cliHeader === 'asserted' && user === '')
    throw new TrunkError('its caller ID is to be asserted alone, but there is no user for From to name')
  if (registers && (user === '' || secret === ''))
    throw new TrunkError('it is to register, but user or secret is missing')
}
