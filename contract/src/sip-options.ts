import * as z from 'zod/mini'
import { OneLine, wireInt } from './values.ts'
import { isHost } from './lines-values.ts'
import { isClis } from './shown-clis.ts'

/** The header that states who calls, where `cliHeader` asks for one. */
export const identityHeaders = ['asserted', 'preferred', 'remoteParty'] as const
/** How keys arrive. auto: by RFC 4733 where the operator offers it, otherwise in-band; SIP INFO is accepted as well. */
export const dtmfModes = ['auto', 'rfc4733', 'info', 'inband'] as const
/** RFC 3262, reliable provisional responses. */
export const rel100Modes = ['supported', 'off', 'required'] as const
/** RFC 4028. offered: the operator decides. always: we refresh, even when the operator knows no timers, and lose the call if it refuses. */
export const sessionTimerModes = ['offered', 'always', 'off'] as const

const aorsMax = 10
const hostsMax = 4
const addressesMax = 10
const shownClisMax = 100

const sipUserSigns = "- _ . ! * ' ( ) & = + $ , ? / ~"
/** Characters allowed unescaped before the @ of a SIP address. */
export const sipUserForm = /^[\w.!*'()&=+$,?/~-]*$/

const text = () => OneLine({ error: 'must be text' }).check(z.trim())
const atMost = (max: number) => z.maxLength(max, { error: `is longer than ${max} characters` })

/** May be ''. */
export const SipUser = () =>
  text().check(atMost(100), z.regex(sipUserForm, { error: `must hold only letters, digits and ${sipUserSigns}` }))

/** The host and port of 'sbc.example.com:5080' or '[2001:db8::1]:5080'; the port is null when left out. Null for anything else. */
export function hostAndPort(written: string): { host: string; port: number | null } | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([\da-f:.]{2,45})\]|([^:[\]]{1,253}))(?::(\d{1,5}))?$/i.exec(written) ?? []
  const host = bracketed ?? plain ?? (isHost(written) ? written : undefined)
  const port = digits === undefined ? null : Number(digits)
  if (host === undefined || !isHost(host) || (port !== null && (port < 1 || port > 65_535))) return null
  return { host, port }
}

const isPrefix = (address: string): boolean => {
  const [, of = address, bits] = /^([^/]+)\/(\d{1,3})$/.exec(address) ?? []
  if (z.safeParse(z.ipv4(), of).success) return bits === undefined || (Number(bits) >= 8 && Number(bits) <= 32)
  return z.safeParse(z.ipv6(), of).success && (bits === undefined || (Number(bits) >= 16 && Number(bits) <= 128))
}

/** A list without duplicates; `wrong` says what is wrong with its first bad text. */
function several(max: number, isGood: (one: string) => boolean, wrong: string) {
  return z._default(
    z
      .array(text().check(atMost(253)), { error: 'must be a list' })
      .check(z.maxLength(max, { error: `has more than ${max}`, abort: true }), ({ value, issues }) => {
        const bad = value.find((one) => !isGood(one))
        if (bad === '') issues.push({ code: 'custom', message: 'has an empty one', input: value })
        else if (bad !== undefined) issues.push({ code: 'custom', message: `${wrong}: ${bad}`, input: bad })
        else if (new Set(value).size < value.length)
          issues.push({ code: 'custom', message: 'has one twice', input: value })
      }),
    [],
  )
}

/** Settings that only some operators need; a plain trunk has every default. Stored as they are (`trunk.sip_options`). */
export const sipOptionsShape = {
  /** The user name for authentication where it is not `user`: often user@realm. */
  authUser: z._default(
    text().check(
      atMost(200),
      z.regex(/^[\w.!*'()&=+$,?/~@-]*$/, { error: `must hold only letters, digits, @ and ${sipUserSigns}` }),
    ),
    '',
  ),
  /** The domain of From and of the registered address. '': the host. */
  fromDomain: z._default(
    text().check(z.refine((host) => host === '' || isHost(host), { error: 'must be an IP address or a host name' })),
    '',
  ),
  /** Receives all requests, whatever `host` they are for. */
  outboundProxy: z._default(
    text().check(
      z.refine((place) => place === '' || hostAndPort(place) !== null, {
        error: 'must be an IP address or a host name, with a port or without',
      }),
    ),
    '',
  ),
  /** Hosts that take the calls when `host` does not, in order: host or host:port. */
  hosts: several(hostsMax, (one) => hostAndPort(one) !== null, 'has one that is not a host'),
  /** `host` is a domain whose servers are found by DNS (NAPTR, SRV). */
  byDns: z._default(z.boolean(), false),
  /** The user part of Contact. '': `user` where it registers. */
  contactUser: z._default(SipUser(), ''),
  identityHeader: z._default(z.enum(identityHeaders), 'asserted'),
  /** The number sent as diverting each call (Diversion). */
  diversion: z._default(
    text().check(z.regex(/^(\+?\d{2,20})?$/, { error: 'must be a telephone number: digits, with or without a +' })),
    '',
  ),
  /** Adds user=phone to addresses that are telephone numbers. */
  userPhone: z._default(z.boolean(), false),
  /** Asks the operator by OPTIONS whether it is there; otherwise only a call shows it. */
  sendsOptions: z._default(z.boolean(), true),
  /** Users registered beside `user`, with the same password. */
  aors: several(aorsMax, (one) => one !== '' && sipUserForm.test(one), 'has one that is not a user of a SIP address'),
  /** Further addresses from which the operator sends requests. */
  addresses: several(addressesMax, isPrefix, 'has one that is not an IP address or network like 203.0.113.0/29'),
  /** The only caller IDs that the contract lets us show: numbers, and rows like 9801234500-9801234599. Empty: any. */
  shownClis: several(
    shownClisMax,
    isClis,
    'has one that is neither a caller ID nor a range of them like 9801234500-9801234599',
  ),
  /** Which of the dialer's client certificates the operator is shown, for TLS. '': none. */
  clientCertificate: z._default(
    text().check(
      z.regex(/^[a-z0-9-]{0,40}$/, { error: 'must hold only small letters, digits and hyphens, at most 40' }),
    ),
    '',
  ),
  /** Encrypts sound, with keys in SDP (SDES). */
  srtp: z._default(z.boolean(), false),
  dtmf: z._default(z.enum(dtmfModes), 'auto'),
  rel100: z._default(z.enum(rel100Modes), 'supported'),
  sessionTimers: z._default(z.enum(sessionTimerModes), 'offered'),
  /**
   * How long the operator may take for its first reply to a call, be it only 100 Trying. Then the call goes on over the next host or trunk. The
   * dialer itself gives up after 32 s (RFC 3261, timer B).
   */
  silentSeconds: z._default(wireInt(2, 30), 6),
  /** When a dialer dies, an operator that takes the timers ends its calls within this time. */
  sessionSeconds: z._default(wireInt(90, 3600), 90),
  /** A call in which no RTP arrives for this long is hung up; 0: none is. On hold it may be ten times as long. */
  rtpTimeoutSeconds: z._default(
    wireInt(0, 3600).check(z.refine((seconds) => seconds === 0 || seconds >= 5, { error: 'must be 0, or 5 to 3600' })),
    60,
  ),
  /** Requests within a call go to where the operator's messages come from, whatever address its Contact names. */
  rewriteContact: z._default(z.boolean(), false),
  /** Milliseconds of sound in each RTP packet that we ask for. We send as many as the operator's answer asks for, and 20 if it asks for none. */
  ptimeMs: z._default(
    wireInt(10, 60).check(z.refine((ms) => ms % 10 === 0, { error: 'must be 10, 20, 30, 40, 50 or 60' })),
    20,
  ),
  /** The DSCP of RTP (46: expedited forwarding). That of SIP is the dialer's, because all its trunks share the sockets. */
  rtpDscp: z._default(wireInt(0, 63), 46),
}
export const SipOptions = z.object(sipOptionsShape)
export type SipOptions = z.output<typeof SipOptions>

export const plainSipOptions: SipOptions = z.parse(SipOptions, {})
