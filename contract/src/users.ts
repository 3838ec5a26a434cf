import * as z from 'zod/mini'
import { MailState } from './mail.ts'
import { jsonOr } from './bounded-json.ts'
import { RechargeAmount } from './recharge-amount.ts'
import { messages } from './messages.ts'
import { personReply, personShape } from './persons.ts'
import { DashboardTrend } from './dashboard.ts'
import { account, choice, choices } from './filters.ts'
import { file, json, list, listIn, upload, type RowOf } from './route.ts'
import { NewUsername } from './usernames.ts'
import {
  between,
  cliRowsMax,
  Id,
  mebibyte,
  Message,
  NewPassword,
  OneLine,
  orRequired,
  Paragraph,
  RecordingDays,
  Search,
  Text,
  UserIdInput,
  wireInt,
} from './values.ts'

/** Types of accounts that their parents create; only the operator creates super admins. */
export const userTypes = ['reseller', 'user'] as const
export type UserType = (typeof userTypes)[number]

/** The default of a new account (specification 2 §5). */
export const channelsDefault = 30
const Channels = wireInt(1, 100_000)

const Password = NewPassword()

/** Forms send text. */
const YesOrNo = z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
const isYes = (said: unknown): boolean => String(said) === 'true'

const wrongType = 'must be reseller or user'
const UserTypeInput = z.pipe(
  z.pipe(
    OneLine(orRequired(wrongType)),
    z.transform((type: string) => type.trim().toLowerCase()),
  ),
  z.enum(userTypes, { error: wrongType }),
)

/** A day, with or without a time: the account expires at its end in Nepal. 'never': it does not expire. */
function ExpiryDate(requiredError?: string) {
  const wrong = 'must look like 2026-11-20'
  return OneLine(orRequired(wrong, requiredError)).check(
    z.regex(/^(?:never|\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?)$/, { error: wrong }),
  )
}

/** A claimed `parent` is ignored: the parent is the viewer (docs/api.md#claims-in-a-request). */
const parent = z.optional(z.unknown())

const Person = {
  ...personShape,
  accountType: wireInt(0, 1),
  userType: UserTypeInput,
  channels: z.optional(Channels),
}

const newUser = {
  ...Person,
  username: NewUsername,
  /** Left out with `invite`. */
  password: z.optional(Password),
  /** A link with which the owner chooses the password goes to the account's address. */
  invite: z.optional(YesOrNo),
  planId: Id,
  parent,
  /** Absent: never expires. */
  expiryDate: z.optional(ExpiryDate()),
  /** Rupees that the new account receives from the viewer, as by a recharge. */
  credits: z.optional(RechargeAmount),
  /** Ids of the caller IDs that it receives, as by an allocation. */
  clis: z._default(
    jsonOr(
      z
        .array(Id, orRequired('must be a list of caller IDs'))
        .check(z.maxLength(cliRowsMax, { error: `has more than ${cliRowsMax} caller IDs` })),
    ),
    [],
  ),
}
/** Exactly one of the two. */
const opens = between(
  'password',
  ({ password, invite }) => (password === undefined) === (invite !== undefined && isYes(invite)),
  ({ password }) => (password === undefined ? 'is required' : 'is chosen by the owner, who is sent an invitation'),
)
const NewUser = z.object(newUser).check(opens)
export type NewUser = z.output<typeof NewUser>
const UserUpdate = z.object({
  ...Person,
  userId: Id,
  /** Absent: unchanged, like `channels`. */
  planId: z.optional(Id),
  /** How long a user's recordings are kept, at most as long as the platform keeps them. */
  recordingDays: z.optional(RecordingDays),
  expiryDate: ExpiryDate(messages.expiryRequired),
  /** Absent: unchanged. */
  domain: z.optional(Text(253)),
  /** Removes both the working domain and the waiting one. */
  removeDomain: z.optional(YesOrNo),
})
export type UserUpdate = z.output<typeof UserUpdate>
const Registered = z.object({ message: z.string(), userId: z.number() })
/** The account's own brand; a domain works once the super admin confirms it. */
const brandFiles = { logo: { maxBytes: mebibyte, required: false } } as const

export const UserRow = z.object({
  userId: z.number(),
  username: z.string(),
  ...personReply,
  mail: MailState,
  userType: z.enum(userTypes),
  accountType: z.number(),
  /** Posted balance in rupees, and how much of it calls under way have reserved. */
  credits: z.number(),
  reserved: z.number(),
  planId: z.nullable(z.number()),
  planName: z.nullable(z.string()),
  parentId: z.number(),
  parentUser: z.string(),
  /** A direct child of the viewer. Parents change their children; a super admin changes any account below. */
  isChild: z.boolean(),
  expiryDate: z.nullable(z.string()),
  channels: z.nullable(z.number()),
  /** Of the account's allocated CLIs at most 20, separated by commas. The profile and the CSV have all. */
  usercli: z.string(),
  /** How many it has. */
  usercliCount: z.number(),
  disabled: z.nullable(z.object({ reason: z.string(), since: z.string(), byPlatform: z.boolean() })),
  /** The nearest disabled account above, which disables this one too. */
  stoppedBy: z.nullable(z.string()),
  /** `byOwner`: by 'It was not me', until a mailed link has set a password. */
  frozen: z.nullable(
    z.object({ reason: z.string(), since: z.string(), byPlatform: z.boolean(), byOwner: z.boolean() }),
  ),
  /** The nearest frozen account above, with which this one is frozen too. */
  frozenBy: z.nullable(z.string()),
})

const SuperAdminRow = z.object({
  userId: z.number(),
  username: z.string(),
  name: z.string(),
  emailid: z.string(),
  createdAt: z.string(),
  sessions: z.number(),
  hasSecondFactor: z.boolean(),
  /** `by` null: the operator, with a command on the server. */
  disabled: z.nullable(z.object({ reason: z.string(), since: z.string(), by: z.nullable(z.string()) })),
})
export type SuperAdminRow = z.output<typeof SuperAdminRow>

/** `parent`: direct children of that account. */
const userFilters = {
  userType: choice(['reseller', 'user']),
  state: choices(['active', 'expired', 'disabled']),
  parent: account,
} as const

export const userRoutes = {
  /** The caller's own id shows all accounts below, another id that account's direct children. */
  list: listIn({
    path: '/api/obd/user/:userId',
    input: UserIdInput,
    filters: userFilters,
    rowsIn: 'users',
    row: UserRow,
    /** The balance of the account in the path; null for a super admin. */
    beside: { adminCredits: z.nullable(z.number()) },
    sort: ['-userId', 'username', 'name', 'company', 'userType', 'expiryDate', 'credits'],
  }),
  /** For pickers: the first accounts whose name or company contains `search`, or the one with that id, deleted or not. */
  choices: json({
    method: 'GET',
    path: '/api/obd/users/choices',
    input: z.object({ search: z.optional(Search), userId: z.optional(Id) }),
    reply: z.array(z.object({ userId: z.number(), username: z.string(), company: z.string() })),
  }),
  listCsv: file({
    path: '/api/obd/user/:userId/users.csv',
    input: z.object({
      userId: Id,
      search: z.optional(Search),
      columns: z.optional(z.enum(['screen', 'all'], { error: 'must be one of screen, all' })),
    }),
    filters: userFilters,
  }),
  /** Registers below the viewer. */
  register: json({ method: 'POST', path: '/api/obd/register', input: NewUser, reply: Registered }),
  registerWithBrand: upload({
    path: '/api/obd/register1',
    input: z.object({ ...newUser, domain: z.optional(Text(253)) }).check(opens),
    files: brandFiles,
    reply: Registered,
  }),
  /** JSON, or a form with a logo. */
  update: upload({ path: '/api/obd/user/update', input: UserUpdate, files: brandFiles, reply: Message }),
  /** A soft delete: what the user did stays. The balance first goes back to the parent. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/user/:userId',
    input: z.object({ userId: Id, parent }),
    reply: Message,
  }),
  /** Disabling ends the sessions and holds the campaigns of the account and all below it; `disabled: false` undoes exactly that. */
  disable: json({
    method: 'POST',
    path: '/api/obd/user/disable',
    input: z.object({ userId: Id, disabled: z.optional(z.boolean()), reason: Paragraph(500) }),
    reply: Message,
  }),
  /** Accounts below and campaigns that disabling would stop; for a disabled account, those that would continue once it is enabled. */
  disabling: json({
    method: 'GET',
    path: '/api/obd/user/disabling/:userId',
    input: UserIdInput,
    reply: z.object({ accounts: z.number(), campaigns: z.number() }),
  }),
  superAdmins: list({
    path: '/api/obd/superadmins',
    filters: { state: choice(['active', 'disabled']) },
    row: SuperAdminRow,
    sort: ['userId', 'username', 'name'],
  }),
  /** Passwords cannot be read back (docs/design.md#passwords). */
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
  /** Concurrent calls: the account's own limit, the part given to its children, and the rest; null means no limit. */
  channels: json({
    method: 'GET',
    path: '/api/obd/user/channels/:userId',
    input: UserIdInput,
    reply: z.object({ userChannels: z.number(), channels: z.nullable(z.number()), free: z.nullable(z.number()) }),
  }),
  /** At most what the parent has left, and at least what the children have. */
  changeChannels: json({
    method: 'POST',
    path: '/api/obd/user/channels',
    input: z.object({ userId: Id, channels: Channels }),
    reply: Message,
  }),
  profile: json({
    method: 'GET',
    path: '/api/obd/user/profile/:userId',
    input: UserIdInput,
    reply: z.object({
      userId: z.number(),
      ...personReply,
      username: z.string(),
      mail: MailState,
      /** Null for super admins, who have neither plan nor parent. */
      userType: z.nullable(z.enum(userTypes)),
      parentId: z.nullable(z.number()),
      parentUser: z.nullable(z.string()),
      /** A direct child of the viewer. */
      isChild: z.boolean(),
      usercli: z.string(),
      planId: z.nullable(z.number()),
      planName: z.nullable(z.string()),
      credits: z.nullable(z.number()),
      channels: z.nullable(z.number()),
      accountType: z.number(),
      expiryDate: z.nullable(z.string()),
      /** The user's own domain: the one waiting for the super admin, else the working one. */
      domain: z.nullable(z.string()),
      /** How long the account's recordings are kept, and the maximum; null unless it is a user. */
      recordingDays: z.nullable(z.number()),
      recordingDaysMax: z.nullable(z.number()),
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
      dbTrend: DashboardTrend,
    }),
  }),
}
export type UserRow = RowOf<typeof userRoutes.list>
