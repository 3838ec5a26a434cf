import { ownValue } from './own-values.ts'
import * as z from 'zod/mini'
import { choices } from './filters.ts'
import { json, list, type RowOf } from './route.ts'
import { DialHost, Failing, Port, Secret } from './lines-values.ts'
import { between, channelsMax, Id, Message, Name, OneLine, Paragraph, Text, wireInt } from './values.ts'

export const dialerDrivers = ['asterisk', 'simulator'] as const
export const dialerDefaults = { cps: 10, totalChannels: 100 } as const

export const callsPerSecondMax = 1000
const Cps = wireInt(1, callsPerSecondMax)
const Channels = wireInt(1, channelsMax)

/** How ARI is reached. Replaced as a whole: a field left out is cleared, except the secret, which stays as long as there is a user. */
const Ari = z
  .object({
    user: z.optional(Text(100)),
    secret: z.optional(Secret),
    /** SHA-256 of the dialer's certificate: 64 hex digits, with or without colons. When set, ARI is used over TLS with this certificate only. */
    tlsFingerprint: z.optional(
      OneLine({ error: 'must be text' }).check(
        z.regex(/^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i, { error: 'must be 64 hexadecimal digits (SHA-256)' }),
      ),
    ),
    /**
     * Where the dialer finds the folder of prompts. Without it, the dialer fetches them below /media of `mediaUrl`, this server's address as the
     * dialer reaches it.
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

export const moreThanTotal = (total: number) => `is more than the total of ${total}`
const notAbove = (cap: string, total: string) =>
  between(
    cap,
    (fields) => {
      const [least, most] = [ownValue(fields, cap), ownValue(fields, total)]
      return !(typeof least === 'number' && typeof most === 'number' && least > most)
    },
    (fields) => moreThanTotal(Number(ownValue(fields, total))),
  )

/** What the engine that holds the dialer last reported; null when none does. */
const DialerState = z.nullable(
  z.object({
    reachable: z.boolean(),
    /** Why it is not reachable. */
    reason: z.nullable(z.string()),
    since: z.string(),
    channelsUsed: z.number(),
    callsPerSecond: z.number(),
    /** The round trip; null when not measured. */
    roundTripMs: z.nullable(z.number()),
    lastFailure: Failing,
    /** Null: unknown, because the engine is of an earlier version. */
    engineName: z.nullable(z.string()),
  }),
)

/** Calls under way there, and how many campaigns and accounts they belong to. Giving the dialer up ends them. */
const OpenCalls = { dialerCalls: z.number(), callCampaigns: z.number(), callAccounts: z.number() }
/** Null unless somebody gave it up and it has not answered since. */
const GivenUp = z.nullable(z.object({ at: z.string(), reason: z.string() }))

const DialerFields = {
  dialerId: z.number(),
  dialerName: z.string(),
  dialerIP: z.string(),
  dialerPort: z.number(),
  cps: z.number(),
  totalChannels: z.number(),
  /** The caps that an administrator has set; null: the machine's capacity. */
  channelReduction: z.nullable(z.number()),
  cpsReduction: z.nullable(z.number()),
  driver: z.enum(dialerDrivers),
}

export const dialerRoutes = {
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
  /** A field left out stays. A cap that equals the total is no reduction. */
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
   * For a dialer that does not answer and never will: its open calls end as LOST at once, uncharged and for good, instead of each waiting until it
   * must be over by the clock. No call begins there until the dialer answers again, which undoes this.
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
