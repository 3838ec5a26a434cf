import * as z from 'zod/mini'
import { asciiDigits } from './phone.ts'
import { MailState } from './mail.ts'
import { messages } from './messages.ts'
import { DashboardTrend } from './dashboard.ts'
import { account, choice, choices } from './filters.ts'
import { file, json, list, listIn, upload, type RowOf } from './route.ts'
import { NewUsername } from './usernames.ts'
import {
  Id,
  mebibyte,
  Message,
  Name,
  NewPassword,
  OneLine,
  orRequired,
  Paragraph,
  RecordingDays,
  Search,
  Text,
  UserIdInput,
  wireInt,
  WrittenNumber,
} from './values.ts'

/** Both are made by those above them; a super admin by the operator alone. */
export const userTypes = ['reseller', 'user'] as const
export type UserType = (typeof userTypes)[number]

/** What a new account gets when nothing is said (specification 2 §5). */
export const channelsDefault = 30
const Channels = wireInt(1, 100_000)

const Password = NewPassword()

const EmailId = Text(254).check(
  z.regex(/^[^\s@<>"'(),;:\\[\]]+@[^\s@<>"'(),;:\\[\]]+\.[^\s@<>"'(),;:\\[\].]+$/, {
    error: 'must be an e-mail address',
  }),
)

/** A telephone of any country, kept as its digits. */
const PhoneNumber = WrittenNumber().check(
  z.minLength(1, { error: 'is required' }),
  z.overwrite((number) => asciiDigits(number).replace(/[\s().-]/g, '')),
  z.regex(/^\+?\d{7,15}$/, { error: 'must be a telephone number' }),
)

const wrongType = 'must be reseller or user'
const UserTypeInput = z.pipe(
  z.pipe(
    OneLine(orRequired(wrongType)),
    z.transform((type: string) => type.trim().toLowerCase()),
  ),
  z.enum(userTypes, { error: wrongType }),
)

/** A day, with or without a time: the account lives until its end in Nepal. */
function ExpiryDate(requiredError?: string) {
  const wrong = 'must look like 2026-11-20'
  return OneLine(orRequired(wrong, requiredError)).check(
    z.regex(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/, { error: wrong }),
  )
}

/** `parent` in a payload is a claim: the parent is whoever is signed in (docs/api.md#claims-in-a-request). */
const parent = z.optional(z.unknown())

const Person = {
  name: Name,
  emailid: EmailId,
  number: PhoneNumber,
  company: Name,
  address: Paragraph(500),
  pincode: Text(20),
  accountType: wireInt(0, 1),
  userType: UserTypeInput,
  channels: z.optional(Channels),
}

const newUser = {
  ...Person,
  username: NewUsername,
  password: Password,
  planId: Id,
  parent,
  /** Absent: never expires. */
  expiryDate: z.optional(ExpiryDate()),
}
const NewUser = z.object(newUser)
export type NewUser = z.output<typeof NewUser>
const UserUpdate = z.object({
  ...Person,
  userId: Id,
  /** Absent: as it is, like `channels`. */
  planId: z.optional(Id),
  /** How long a user's recordings are kept, at most as long as the platform keeps them. */
  recordingDays: z.optional(RecordingDays),
  expiryDate: ExpiryDate(messages.expiryRequired),
  /** Absent: as it is. */
  domain: z.optional(Text(253)),
  /** The domain that works and the one that waits are taken away. */
  removeDomain: z.optional(z.union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })),
})
export type UserUpdate = z.output<typeof UserUpdate>
const Registered = z.object({ message: z.string(), userId: z.number() })
/** Of the account's own brand; a domain works once the super admin confirmed it. */
const brandFiles = { logo: { maxBytes: mebibyte, required: false } } as const

export const UserRow = z.object({
  userId: z.number(),
  username: z.string(),
  name: z.string(),
  emailid: z.string(),
  mail: MailState,
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
  parentId: z.number(),
  parentUser: z.string(),
  /** Right below the viewer. Parents change their children, and a super admin whoever is below. */
  isChild: z.boolean(),
  expiryDate: z.nullable(z.string()),
  channels: z.nullable(z.number()),
  /** CLIs that were allocated to the account, with commas between. */
  usercli: z.string(),
  disabled: z.nullable(z.object({ reason: z.string(), since: z.string(), byPlatform: z.boolean() })),
  /** The account above that is disabled, and this one with it; the nearest of several. */
  stoppedBy: z.nullable(z.string()),
})

const SuperAdminRow = z.object({
  userId: z.number(),
  username: z.string(),
  name: z.string(),
  emailid: z.string(),
  createdAt: z.string(),
  /** Open ones. */
  sessions: z.number(),
  /** `by` null: the operator, with a command beside the server. */
  disabled: z.nullable(z.object({ reason: z.string(), since: z.string(), by: z.nullable(z.string()) })),
})
export type SuperAdminRow = z.output<typeof SuperAdminRow>

/** `parent`: right below that account. */
const userFilters = {
  userType: choice(['reseller', 'user']),
  state: choices(['active', 'expired', 'disabled']),
  parent: account,
} as const

export const userRoutes = {
  /** The own id: all below the viewer; another's: those right below that account. */
  list: listIn({
    path: '/api/obd/user/:userId',
    input: UserIdInput,
    filters: userFilters,
    rowsIn: 'users',
    row: UserRow,
    /** What the account of the path has itself; null for a super admin. */
    beside: { adminCredits: z.nullable(z.number()) },
    sort: ['-userId', 'username', 'name', 'company', 'userType', 'expiryDate', 'credits'],
  }),
  /** The first whose name or company has `search` in it, or that of the id, deleted or not: for pickers. */
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
      /** The columns of the screen, else all that is known. */
      columns: z.optional(z.enum(['screen', 'all'], { error: 'must be one of screen, all' })),
    }),
    filters: userFilters,
  }),
  /** Right below whoever is signed in. */
  register: json({ method: 'POST', path: '/api/obd/register', input: NewUser, reply: Registered }),
  /** The same with a brand. */
  registerWithBrand: upload({
    path: '/api/obd/register1',
    input: z.object({ ...newUser, domain: z.optional(Text(253)) }),
    files: brandFiles,
    reply: Registered,
  }),
  /** JSON, or a form when a logo comes along. */
  update: upload({ path: '/api/obd/user/update', input: UserUpdate, files: brandFiles, reply: Message }),
  /** Soft: what the user did stays. The balance goes back to the parent first. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/user/:userId',
    input: z.object({ userId: Id, parent }),
    reply: Message,
  }),
  /** Disabling ends the sessions and holds the campaigns of the account and of all below it; `disabled: false` lifts just that. */
  disable: json({
    method: 'POST',
    path: '/api/obd/user/disable',
    input: z.object({ userId: Id, disabled: z.optional(z.boolean()), reason: Paragraph(500) }),
    reply: Message,
  }),
  /** What disabling stops beside the account itself, or, of a disabled one, what goes on when it is enabled: accounts below, campaigns of all. */
  disabling: json({
    method: 'GET',
    path: '/api/obd/user/disabling/:userId',
    input: UserIdInput,
    reply: z.object({ accounts: z.number(), campaigns: z.number() }),
  }),
  /** Whoever runs the platform sees who else does. */
  superAdmins: list({
    path: '/api/obd/superadmins',
    filters: { state: choice(['active', 'disabled']) },
    row: SuperAdminRow,
    sort: ['userId', 'username', 'name'],
  }),
  /** Nothing can read a password back (docs/design.md#passwords). */
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
  /** Neither more than the parent has left nor fewer than the accounts below have. */
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
      name: z.string(),
      username: z.string(),
      emailid: z.string(),
      mail: MailState,
      number: z.string(),
      company: z.string(),
      address: z.string(),
      pincode: z.string(),
      /** Null for super admins, who have neither plan nor parent. */
      userType: z.nullable(z.enum(userTypes)),
      parentId: z.nullable(z.number()),
      parentUser: z.nullable(z.string()),
      /** Right below the viewer. */
      isChild: z.boolean(),
      usercli: z.string(),
      planId: z.nullable(z.number()),
      planName: z.nullable(z.string()),
      credits: z.nullable(z.number()),
      channels: z.nullable(z.number()),
      accountType: z.number(),
      expiryDate: z.nullable(z.string()),
      /** That of the user's own brand which waits for the super admin, else the one that works. */
      domain: z.nullable(z.string()),
      /** How long the account's recordings are kept, and the most that there is; null for all but users. */
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
