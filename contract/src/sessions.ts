import * as z from 'zod/mini'
import { factors } from './factors.ts'
import { json } from './route.ts'
import { Id, Message, NewPassword, orRequired, Text } from './values.ts'

/** What a sign-in came from, by what its program says of itself. Nothing else of that text is ever shown. */
const browsers = ['edge', 'opera', 'samsung', 'firefox', 'chrome', 'safari', 'other'] as const
export type Browser = (typeof browsers)[number]
const systems = ['android', 'iphone', 'windows', 'mac', 'linux', 'other'] as const
export type System = (typeof systems)[number]

/** What their makers call them, in every language. What is no browser we know is named by the reader's language. */
export const browserNames = {
  edge: 'Edge',
  opera: 'Opera',
  samsung: 'Samsung Internet',
  firefox: 'Firefox',
  chrome: 'Chrome',
  safari: 'Safari',
} satisfies Record<Exclude<Browser, 'other'>, string>
export const systemNames = {
  android: 'Android',
  iphone: 'iPhone',
  windows: 'Windows',
  mac: 'Mac',
  linux: 'Linux',
} satisfies Record<Exclude<System, 'other'>, string>

/** What a session may lack. */
export type Lacking = 'password' | 'factor'

export const OpenSignIn = z.object({
  sessionId: z.number(),
  /** The one that asks. */
  current: z.boolean(),
  openedAt: z.string(),
  /** To the minute. */
  lastSeenAt: z.string(),
  ip: z.string(),
  browser: z.enum(browsers),
  system: z.enum(systems),
  /** The second factor that the sign-in was proved with; null: none. */
  factor: z.nullable(z.enum(factors)),
})
export type OpenSignIn = z.output<typeof OpenSignIn>

/** Of one account; when it signs in once more, one ends: of the same program and network if there is any, the one unused for longest. */
export const sessionsMax = 20

/** Not trimmed: blanks at its ends belong to it. */
const Current = z
  .string(orRequired('must be text'))
  .check(z.maxLength(1000, { error: 'is longer than 1000 characters' }))

export const sessionRoutes = {
  /** The account's own, the one used last first. */
  list: json({ method: 'GET', path: '/api/obd/sessions', reply: z.array(OpenSignIn) }),
  /** 'It was not me': `token` is the end of the link in a mail about the account's security. Its sessions end and its password is void. */
  notMe: json({ method: 'POST', path: '/api/obd/notme', input: z.object({ token: Text(200) }), reply: Message }),
  /** The other sessions of the account end, the one that asks stays. `keys`: how many of its keys for programs go on; absent: it has none. */
  changePassword: json({
    method: 'POST',
    path: '/api/obd/password',
    input: z.object({ current: Current, password: NewPassword() }),
    reply: z.extend(Message, { keys: z.optional(z.number()) }),
  }),
  /** One of them, or all but the one that asks. */
  end: json({
    method: 'POST',
    path: '/api/obd/sessions/end',
    input: z.strictObject({ sessionId: z.optional(Id), others: z.optional(z.literal(true)) }),
    reply: z.extend(Message, { ended: z.number() }),
  }),
}
