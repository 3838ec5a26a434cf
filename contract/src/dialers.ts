import * as z from 'zod/mini'
import { choices } from './filters.ts'
import { json, list, type RowOf } from './route.ts'
import { DialHost, Failing, Port, Secret } from './lines-values.ts'
import { between, channelsMax, Id, Message, Name, OneLine, Paragraph, Text, wireInt } from './values.ts'

export const dialerDrivers = ['asterisk', 'simulator'] as const
export const dialerDefaults = { cps: 10, totalChannels: 100 } as const

/** A name of a dialer or trunk. */
export const callsPerSecondMax = 1000
const Cps = wireInt(1, callsPerSecondMax)
const Channels = wireInt(1, channelsMax)

/** How ARI is reached. Sent as a whole: a field that is left out is cleared, except the secret, which stays as long as there is a user. */
const Ari = z
  .object({
    user: z.optional(Text(100)),
    secret: z.optional(Secret),
    /** SHA-256 of the dialer's certificate, 64 hex digits with or without colons. If set, ARI is used over TLS, with this certificate only. */
    tlsFingerprint: z.optional(
      OneLine({ error: 'must be text' }).check(
        z.regex(/^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i, { error: 'must be 64 hexadecimal digits (SHA-256)' }),
      ),
    ),
    /**
     * Where the dialer finds the folder of prompts; otherwise `mediaUrl`, this server's address as the dialer reaches it, to fetch them below
     * /media.
     */
    mediaFolder: z.optional(Text(500).check(z.regex(/^\//, { error: 'must be a whole path that begins with /' }))),
    mediaUrl: z.optional(
      Text(500).check(z.regex(/^https?:\/\/[^\s]+$/, { error: 'must begin with http:// or https://' })),
    ),
  })
  .check(
    between('user', (ari) => ari['secret'] === undefined || ari['user'] !== undefined, 'is required with a password'),
    between(
      'mediaUrl',
      (ari) => ari['mediaFolder'] === undefined || ari['mediaUrl'] === undefined,
      'cannot be there beside a folder: prompts come from one place',
    ),
  )

const Dialer = {
  dialerName: Name,
  dialerIP: DialHost,
  dialerPort: Port,
  /** The machine's capacity. */
  cps: z.optional(Cps),
  totalChannels: z.optional(Channels),
  ari: z.optional(Ari),
}

/** A cap equal to the total is no cap; a higher one is a mistake. */
export const moreThanTotal = (total: number) => `is more than the total of ${total}`
const notAbove = (cap: string, total: string) =>
  between(
    cap,
    (fields) => !(typeof fields[cap] === 'number' && typeof fields[total] === 'number' && fields[cap] > fields[total]),
    (fields) => moreThanTotal(Number(fields[total])),
  )

/** What the engine that holds the dialer saw last. Null: no engine holds it. */
const DialerState = z.nullable(
  z.object({
    reachable: z.boolean(),
    /** Why it is not reachable. */
    reason: z.nullable(z.string()),
    since: z.string(),
    channelsUsed: z.number(),
    callsPerSecond: z.number(),
    /** The round trip. Null: not measured. */
    roundTripMs: z.nullable(z.number()),
    lastFailure: Failing,
  }),
)

/** The open calls there, and whose they are. Giving the dialer up ends them. */
const OpenCalls = { dialerCalls: z.number(), callCampaigns: z.number(), callAccounts: z.number() }
/** Null: nobody has given it up, or it has answered since. */
const GivenUp = z.nullable(z.object({ at: z.string(), reason: z.string() }))

const DialerFields = {
  dialerId: z.number(),
  dialerName: z.string(),
  dialerIP: z.string(),
  dialerPort: z.number(),
  cps: z.number(),
  totalChannels: z.number(),
  /** The caps that an administrator has set. Null: the machine's capacity. */
  channelReduction: z.nullable(z.number()),
  cpsReduction: z.nullable(z.number()),
  driver: z.enum(dialerDrivers),
}

export const dialerRoutes = {
  /** For a form's picker. */
  choices: json({
    method: 'GET',
    path: '/api/obd/dialers',
    reply: z.array(z.object({ dialerId: z.number(), dialerName: z.string() })),
  }),
  list: list({
    path: '/api/obd/dialers/list',
    filters: { state: choices(['reachable', 'unreachable', 'unknown', 'givenUp']) },
    row: z.object({ ...DialerFields, activeCli: z.number(), ...OpenCalls, givenUp: GivenUp, state: DialerState }),
    sort: ['-dialerId', 'dialerName', 'dialerIP', 'dialerPort', 'totalChannels', 'cps'],
  }),
  create: json({
    method: 'POST',
    path: '/api/obd/dialer',
    input: z.object({ ...Dialer, driver: z.optional(z.enum(dialerDrivers)) }),
    reply: z.object({ message: z.string(), dialerId: z.number() }),
  }),
  detail: json({
    method: 'GET',
    path: '/api/obd/dialer/detail/:dialerId',
    input: z.object({ dialerId: Id }),
    reply: z.object({
      ...DialerFields,
      ...OpenCalls,
      givenUp: GivenUp,
      state: DialerState,
      ari: z.object({
        user: z.nullable(z.string()),
        hasSecret: z.boolean(),
        tlsFingerprint: z.nullable(z.string()),
        mediaFolder: z.nullable(z.string()),
        mediaUrl: z.nullable(z.string()),
      }),
    }),
  }),
  /** A field that is left out stays as it is. A cap at the total is no reduction. */
  update: json({
    method: 'POST',
    path: '/api/obd/dialer/update',
    input: z
      .object({
        ...Dialer,
        dialerId: Id,
        cpsReduction: z.optional(wireInt(0, callsPerSecondMax)),
        channelReduction: z.optional(wireInt(0, channelsMax)),
      })
      .check(notAbove('cpsReduction', 'cps'), notAbove('channelReduction', 'totalChannels')),
    reply: Message,
  }),
  /**
   * The dialer does not answer and will not: its open calls end LOST, uncharged and for good, without waiting until each must be over by the
   * clock. No call begins there until it answers again; then it is taken back by itself.
   */
  giveUp: json({
    method: 'POST',
    path: '/api/obd/dialer/giveup/:dialerId',
    input: z.object({ dialerId: Id, reason: Paragraph(500) }),
    reply: Message,
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/dialer/:dialerId',
    input: z.object({ dialerId: Id }),
    reply: Message,
  }),
}
export type DialerRow = RowOf<typeof dialerRoutes.list>
