import * as z from 'zod/mini'
import { callsPerSecondMax } from './dialers.ts'
import { DialHost, Failing, Port, Secret } from './lines-values.ts'
import { dialable, whyNotDialable } from './phone.ts'
import { trunkSymptomKinds } from './alerts.ts'
import { choices, dialer } from './filters.ts'
import { json, list, type ReplyOf, type RowOf } from './route.ts'
import { sipOptionsShape, SipUser } from './sip-options.ts'
import {
  between,
  channelsMax,
  Id,
  Message,
  Name,
  OneLine,
  RingSeconds,
  ringSecondsDefault,
  wireInt,
  WrittenNumber,
} from './values.ts'

export const sipTransports = ['udp', 'tcp', 'tls'] as const
export const sipCodecs = ['alaw', 'ulaw', 'g722', 'gsm'] as const
/** How the operator wants caller IDs: 015970001, 97715970001, +97715970001, or as entered. */
export const cliFormats = ['national', 'e164', 'plus', 'asIs'] as const
/** Which header carries the caller ID. auto: P-Asserted-Identity where From names the user, else From. */
export const cliHeaders = ['auto', 'from', 'asserted', 'both'] as const
const registrations = ['registered', 'unregistered', 'rejected'] as const
const trunkTestKinds = ['ping', 'call'] as const

/**
 * The operator's side of a trunk. Replaced as a whole: what is left out is cleared, except the secret, which stays while there is a user.
 */
const Sip = z
  .object({
    host: z.optional(DialHost),
    /** Left out: the transport's default, 5060 or 5061. */
    port: z.optional(Port),
    transport: z._default(z.enum(sipTransports), 'udp'),
    user: z.optional(SipUser().check(z.minLength(1, { error: 'is required' }))),
    secret: z.optional(Secret),
    codecs: z._default(
      z.array(z.enum(sipCodecs)).check(
        z.minLength(1, { error: 'is required' }),
        z.refine((codecs) => new Set(codecs).size === codecs.length, { error: 'has a codec twice' }),
      ),
      ['alaw', 'ulaw'],
    ),
    cliFormat: z._default(z.enum(cliFormats), 'national'),
    cliHeader: z._default(z.enum(cliHeaders), 'auto'),
    /** Removed from the front of the called number (977 and the national number). */
    numberStrip: z.optional(
      OneLine({ error: 'must be text' }).check(
        z.regex(/^\d{0,15}$/, { error: 'must be the digits that a number begins with, like 977' }),
      ),
    ),
    /** Put before what remains. */
    numberPrefix: z.optional(
      OneLine({ error: 'must be text' }).check(
        z.regex(/^\+?[\d*#]{0,15}$/, { error: 'must be digits, at most 15, like 0' }),
      ),
    ),
    registers: z._default(z.boolean(), false),
    /** The longest ringing time; it also ends announcements before the answer. */
    ringSeconds: z._default(RingSeconds, ringSecondsDefault),
    /** A telephone that always rings, called to find out whether alike refusals are the trunk's fault. */
    testNumber: z.optional(
      WrittenNumber().check(({ value, issues }) => {
        if (!dialable(value)) issues.push({ code: 'custom', message: whyNotDialable(value), input: value })
      }),
    ),
    ...sipOptionsShape,
  })
  .check(
    between('user', (sip) => sip['secret'] === undefined || sip['user'] !== undefined, 'is required with a password'),
    between('host', (sip) => sip['registers'] !== true || sip['host'] !== undefined, 'is required to register'),
    between('user', (sip) => sip['registers'] !== true || sip['user'] !== undefined, 'is required to register'),
    between(
      'user',
      (sip) => sip['cliHeader'] !== 'asserted' || sip['user'] !== undefined,
      'is required where From does not carry the caller ID',
    ),
    between(
      'user',
      (sip) => !sip['authUser'] || sip['user'] !== undefined,
      'is required with a name for authentication',
    ),
    between('host', (sip) => sip['byDns'] !== true || isName(sip['host']), 'must be a domain, whose servers DNS names'),
    between('port', (sip) => sip['byDns'] !== true || !sip['port'], 'must be left out: DNS gives it'),
    between(
      'hosts',
      (sip) => isEmpty(sip['hosts']) || sip['host'] !== undefined,
      'is for when the host does not answer, which is missing',
    ),
    between(
      'hosts',
      (sip) => isEmpty(sip['hosts']) || !(sip['byDns'] === true || sip['outboundProxy']),
      'must be left out with DNS or an outbound proxy',
    ),
    between('byDns', (sip) => sip['byDns'] !== true || !sip['outboundProxy'], 'must be off with an outbound proxy'),
    between('clientCertificate', (sip) => !sip['clientCertificate'] || sip['transport'] === 'tls', 'is for TLS alone'),
    between('registers', (sip) => isEmpty(sip['aors']) || sip['registers'] === true, 'is required to register others'),
  )

const isName = (host: unknown): boolean => typeof host === 'string' && !/^[\d.]+$|:/.test(host.trim())
const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0

const pilotError = 'must be a telephone number'
const Trunk = {
  trunkName: Name,
  pilotNumber: WrittenNumber().check(
    z.minLength(1, { error: 'is required' }),
    z.regex(/^\+?\d[\d -]{1,19}$/, { error: pilotError }),
  ),
  dialerId: Id,
  channels: wireInt(1, channelsMax),
  cps: wireInt(1, callsPerSecondMax),
  /** 0: it shares no contract with other trunks. Left out: it stays in the one that it has. */
  contractId: z.optional(wireInt(0, 2 ** 31 - 1)),
  sip: z.optional(Sip),
}

const TrunkFields = {
  trunkId: z.number(),
  trunkName: z.string(),
  pilotNumber: z.string(),
  dialerId: z.number(),
  dialerName: z.string(),
  channels: z.number(),
  cps: z.number(),
  /** Null: none. */
  contractId: z.nullable(z.number()),
  contractName: z.nullable(z.string()),
}

/** What the engine that holds the trunk's dialer last reported; null when none does. */
const TrunkState = z.nullable(
  z.object({
    /** Null: unknown. */
    reachable: z.nullable(z.boolean()),
    /** Null: it does not register, or its state is unknown. */
    registered: z.nullable(z.enum(registrations)),
    /** Why its settings allow no call, so that its campaigns are on hold; null when there is no such problem. */
    unusable: z.nullable(z.string()),
    calls: z.number(),
    channelsUsed: z.number(),
    callsPerSecond: z.number(),
    /** Calls per second that its operator accepts now, where fewer than `cps`; null when there is no restriction. */
    takes: z.nullable(z.number()),
    /** How many of its last calls (at most a hundred) were answered. */
    recent: z.object({ calls: z.number(), answered: z.number() }),
    /** The circuit breaker is open, so its campaigns are on hold. */
    held: z.nullable(z.object({ since: z.string(), reason: z.string(), nextProbeAt: z.nullable(z.string()) })),
    lastFailure: Failing,
  }),
)

const TrunkTest = z.object({
  testId: z.number(),
  trunkId: z.number(),
  testKind: z.enum(trunkTestKinds),
  number: z.nullable(z.string()),
  cli: z.nullable(z.string()),
  askedAt: z.string(),
  progress: z.nullable(z.string()),
  /** Null while it runs. */
  passed: z.nullable(z.boolean()),
  result: z.nullable(z.string()),
})

export const trunkRoutes = {
  list: list({
    path: '/api/obd/trunks/list',
    /** reachable, unreachable, unknown: according to its dialer; held: its circuit breaker is open or its settings allow no call. */
    filters: { dialerId: dialer, state: choices(['reachable', 'unreachable', 'held', 'unknown']) },
    row: z.object({ ...TrunkFields, activeCli: z.number(), state: TrunkState }),
    sort: ['-trunkId', 'trunkName', 'pilotNumber', 'dialerName', 'channels', 'cps'],
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/trunk',
    input: z.object(Trunk),
    reply: z.object({ message: z.string(), trunkId: z.number() }),
  }),
  detail: json({
    method: 'GET',
    path: '/api/obd/trunk/detail/:trunkId',
    input: z.object({ trunkId: Id }),
    reply: z.object({
      ...TrunkFields,
      /** According to the engine that holds its dialer; null when there is no such problem. */
      unusable: z.nullable(z.string()),
      /** Open alerts about its sound, its keys and its answers, the newest first. */
      symptoms: z.array(z.object({ kind: z.enum(trunkSymptomKinds), detail: z.string(), since: z.string() })),
      sip: z.object({
        host: z.nullable(z.string()),
        port: z.nullable(z.number()),
        transport: z.enum(sipTransports),
        user: z.nullable(z.string()),
        hasSecret: z.boolean(),
        codecs: z.array(z.enum(sipCodecs)),
        cliFormat: z.enum(cliFormats),
        cliHeader: z.enum(cliHeaders),
        numberStrip: z.string(),
        numberPrefix: z.string(),
        registers: z.boolean(),
        ringSeconds: z.number(),
        testNumber: z.nullable(z.string()),
        ...sipOptionsShape,
      }),
    }),
  }),
  /** Without `sip`, the operator's side stays. */
  update: json({
    method: 'POST',
    path: '/api/obd/trunk/update',
    input: z.object({ ...Trunk, trunkId: Id }),
    reply: Message,
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/trunk/:trunkId',
    input: z.object({ trunkId: Id }),
    reply: Message,
  }),
  /** Asks the engine that holds the dialer for an OPTIONS ping, or for a call to `number`, which is hung up soon after the answer. */
  test: json({
    method: 'POST',
    path: '/api/obd/trunk/test',
    input: z.object({
      trunkId: Id,
      testKind: z.enum(trunkTestKinds),
      number: z.optional(WrittenNumber()),
      /** Left out: the trunk's first CLI. */
      cli: z.optional(WrittenNumber()),
    }),
    reply: z.object({ message: z.string(), testId: z.number() }),
  }),
  testResult: json({
    method: 'GET',
    path: '/api/obd/trunk/test/:testId',
    input: z.object({ testId: Id }),
    reply: TrunkTest,
  }),
}
export type TrunkRow = RowOf<typeof trunkRoutes.list>
export type TrunkTest = ReplyOf<typeof trunkRoutes.testResult>
