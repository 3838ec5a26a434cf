import * as z from 'zod/mini'
import { messages } from './messages.ts'
import { file, json, listIn, type RowOf } from './route.ts'
import { Id, Message, NewPassword, Search, Text, UserIdInput } from './values.ts'

/** Both are made by those above them; a super admin by the operator alone. */
const userTypes = ['reseller', 'user'] as const
export type UserType = (typeof userTypes)[number]

const Password = NewPassword(undefined, messages.passwordShort)

/** `parent` in a payload is a claim: the parent is whoever is signed in (WIRE.md, Replies). */
const parent = z.optional(z.unknown())

const UserRow = z.object({
  userId: z.number(),
  username: z.string(),
  name: z.string(),
  emailid: z.string(),
  number: z.string(),
  company: z.string(),
  address: z.string(),
  pincode: z.string(),
  userType: z.enum(userTypes),
  accountType: z.number(),
  /** Posted balance in rupees, and what calls under way may still take of it. */
  credits: z.number(),
  reserved: z.number(),
  planId: z.nullable(z.number()),
  planName: z.nullable(z.string()),
  parentUser: z.string(),
  /** The viewer's own child: all that is not reading is for parents. */
  isChild: z.boolean(),
  expiryDate: z.nullable(z.string()),
  channels: z.nullable(z.number()),
  /** CLIs that were allocated to the account, with commas between. */
  usercli: z.string(),
  disabled: z.nullable(z.object({ reason: z.string(), since: z.string(), byPlatform: z.boolean() })),
})

export const userRoutes = {
  /** The own id: all below the viewer; another's: those right below that account. */
  list: listIn({
    path: '/api/obd/user/:userId',
    input: UserIdInput,
    rowsIn: 'users',
    row: UserRow,
    /** What the account of the path has itself; null for a super admin. */
    beside: { adminCredits: z.nullable(z.number()) },
    sort: ['-userId', 'username', 'name', 'company', 'userType', 'expiryDate', 'credits'],
  }),
  listCsv: file({
    path: '/api/obd/user/:userId/users.csv',
    input: z.object({ userId: Id, search: z.optional(Search) }),
  }),
  /** Soft: what he did stays. His balance goes back to the parent first. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/user/:userId',
    input: z.object({ userId: Id, parent }),
    reply: Message,
  }),
  /** Disabling ends his sessions and holds his campaigns; `disabled: false` lifts it. */
  disable: json({
    method: 'POST',
    path: '/api/obd/user/disable',
    input: z.object({ userId: Id, disabled: z.optional(z.boolean()), reason: Text(500) }),
    reply: Message,
  }),
  /** Nothing can read a password back (DESIGN §5). */
  readPassword: json({
    method: 'GET',
    path: '/api/obd/pwd/:userId',
    input: UserIdInput,
    reply: z.object({ password: z.null(), message: z.string() }),
  }),
  resetPassword: json({
    method: 'POST',
    path: '/api/obd/pwd/reset',
    input: z.object({ userId: Id, parent, password: Password }),
    reply: Message,
  }),
  /** Calls at once: what an account has, what its children were given of it, what is left. Null: no limit. */
  channels: json({
    method: 'GET',
    path: '/api/obd/user/channels/:userId',
    input: UserIdInput,
    reply: z.object({ userChannels: z.number(), channels: z.nullable(z.number()), free: z.nullable(z.number()) }),
  }),
  profile: json({
    method: 'GET',
    path: '/api/obd/user/profile/:userId',
    input: UserIdInput,
    reply: z.object({
      userId: z.number(),
      name: z.string(),
      username: z.string(),
      emailid: z.string(),
      number: z.string(),
      company: z.string(),
      address: z.string(),
      pincode: z.string(),
      planName: z.nullable(z.string()),
      credits: z.nullable(z.number()),
      channels: z.nullable(z.number()),
      accountType: z.number(),
      expiryDate: z.nullable(z.string()),
    }),
  }),
  dashboard: json({
    method: 'GET',
    path: '/api/obd/dashboard/:userId',
    input: UserIdInput,
    reply: z.object({
      dbHeader: z.object({
        totalVoiceCampaigns: z.number(),
        totalCalls: z.number(),
        connectedCalls: z.number(),
        voiceCreditsAvailable: z.nullable(z.number()),
        resellers: z.number(),
        endUsers: z.number(),
      }),
      dbUserWiseCampaigns: z.array(z.object({ username: z.string(), totalCampaigns: z.number() })),
    }),
  }),
}
export type UserRow = RowOf<typeof userRoutes.list>
