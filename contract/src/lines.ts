import * as z from 'zod/mini'
import { callerIdOf, whyNoCallerId } from './caller-id.ts'
import { MoreNumbers } from './more-numbers.ts'
import { account, choice, trunk } from './filters.ts'
import { file, json, list, upload, type ReplyOf } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { jsonOr } from './bounded-json.ts'
import {
  channelsMax,
  cliRowsMax,
  groupNameMax,
  Id,
  mebibyte,
  Message,
  Name,
  orRequired,
  Search,
  Text,
  UserIdInput,
  wireInt,
  WrittenNumber,
} from './values.ts'

/** At each level a dedicated CLI has one holder and a shared one any number (docs/api.md#caller-ids). */
export const cliPools = ['dedicated', 'shared'] as const
export const cliUploadTypes = ['new', 'move'] as const
export const cliChannelsDefault = 30
export const cliFileMaxBytes = mebibyte
export const groupMembersMax = 50

const Channels = wireInt(1, channelsMax)

/** A number in any notation; stored as national digits. */
const CallerId = z.pipe(
  WrittenNumber().check(z.minLength(1, { error: 'is required' }), ({ value, issues }) => {
    if (value !== '' && callerIdOf(value) === null)
      issues.push({ code: 'custom', message: whyNoCallerId(value), input: value })
  }),
  z.transform((written: string) => callerIdOf(written) ?? written),
)

const Cli = {
  cliId: z.number(),
  cli: z.string(),
  channels: z.number(),
  /** 1 Active (it has a trunk), otherwise 0. */
  cliStatus: z.number(),
  pool: z.enum(cliPools),
  /** How many caller IDs a group has, whose name `cli` is; null for a caller ID itself. */
  members: z.nullable(z.number()),
}
const CliRow = z.object({
  ...Cli,
  /** Null for everybody but the super admin, and without a trunk. */
  trunkId: z.nullable(z.number()),
  trunkName: z.nullable(z.string()),
  dialerName: z.nullable(z.string()),
  /** Null for everybody but the super admin, and where calls use the trunk alone. */
  routeId: z.nullable(z.number()),
  routeName: z.nullable(z.string()),
  pilotNumber: z.nullable(z.string()),
  /** The accounts right below the viewer through which it is held. */
  holders: z.array(z.string()),
  holderCount: z.number(),
  /** In the list of allocations: which account gave it to which. */
  allocation: z.nullable(
    z.object({ allocationId: z.number(), userId: z.number(), username: z.string(), givenBy: z.string() }),
  ),
})
export type CliRow = z.output<typeof CliRow>

/** At least one letter, so that nobody takes it for a number. */
const GroupName = Text(groupNameMax).check(z.regex(/\p{L}/u, { error: 'must have a letter: it is no number' }))
const Members = jsonOr(
  z
    .array(z.object({ cliId: Id, weight: z._default(wireInt(1, 100), 1) }), orRequired('must be a list of caller IDs'))
    .check(
      z.minLength(1, { error: 'must have at least one' }),
      z.maxLength(groupMembersMax, { error: `has more than ${groupMembersMax} caller IDs` }),
      z.refine((members) => new Set(members.map(({ cliId }) => cliId)).size === members.length, {
        error: 'names one of them twice',
      }),
    ),
)
const Group = { groupName: GroupName, trunkName: Name, members: Members }

const sort = ['-cliId', 'cli', 'channels'] as const
const cliStatus = choice(['0', '1'])

/** An empty choice, as forms send it, clears the field. */
const Chosen = z.pipe(
  z.optional(z.unknown()),
  z.pipe(
    z.transform((value: unknown) => (value === '' || value === null ? undefined : value)),
    z.optional(Id),
  ),
)

/** The result of each line of the upload: `rows = accepted + duplicate + invalid`, with all refused lines. */
const CliUploaded = z.object({
  message: z.string(),
  rows: z.number(),
  accepted: z.number(),
  duplicate: z.number(),
  invalid: z.number(),
  /** Numbers in other columns than the caller ID's. */
  moreNumbers: MoreNumbers,
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
})
export type CliUploaded = z.output<typeof CliUploaded>

export const lineRoutes = {
  all: list({ path: '/api/obd/cli/all', filters: { trunkId: trunk, cliStatus }, row: CliRow, sort }),
  /** CLIs from which an account may call; for the super admin's own id, all. */
  clisOfUser: list({
    path: '/api/obd/cli/user/:userId',
    input: UserIdInput,
    filters: { cliStatus },
    row: CliRow,
    sort,
  }),
  /** A row for each CLI and each account below the viewer that holds it, or only for `userId`. */
  allocated: list({
    path: '/api/obd/cli/allocated',
    filters: { userId: account, cliStatus },
    row: CliRow,
    sort: ['-allocationId', 'cli'],
  }),
  /** With `allocated` or `userId` the allocations, otherwise the CLIs. */
  exportCsv: file({
    path: '/api/obd/cli/cli.csv',
    input: z.object({
      allocated: z.optional(z.literal('1', { error: 'must be 1 or left out' })),
      search: z.optional(Search),
    }),
    filters: { userId: account, trunkId: trunk, cliStatus },
  }),
  available: list({ path: '/api/obd/cli/available', row: z.object(Cli), sort: ['cli', 'cliId'] }),
  takers: list({
    path: '/api/obd/cli/takers',
    row: z.object({ userId: z.number(), username: z.string(), company: z.string() }),
    sort: ['username'],
  }),
  add: json({
    method: 'POST',
    path: '/api/obd/cli',
    input: z.object({ cli: CallerId, channels: Channels, trunkName: Name }),
    reply: z.object({ message: z.string(), cliId: z.number() }),
  }),
  /** Without `trunkName` it is inactive. */
  update: json({
    method: 'POST',
    path: '/api/obd/cli/update',
    input: z.object({ cliId: Id, channels: Channels, trunkName: z.optional(Name) }),
    reply: Message,
  }),
  /** Without `routeId`, calls use its trunk alone. Applies at once, also to running campaigns. */
  route: json({
    method: 'POST',
    path: '/api/obd/cli/route',
    input: z.object({ cliId: Id, routeId: Chosen }),
    reply: Message,
  }),
  /** A group of caller IDs, which is given to accounts and chosen for campaigns as a caller ID is; each call shows one of them (docs/api.md#caller-id-groups). */
  addGroup: json({
    method: 'POST',
    path: '/api/obd/cli/group',
    input: z.object({
      ...Group,
      pool: z._default(z.enum(cliPools, { error: 'must be dedicated or shared' }), 'dedicated'),
    }),
    reply: z.object({ message: z.string(), cliId: z.number() }),
  }),
  /** `members` replaces the old ones. */
  updateGroup: json({
    method: 'POST',
    path: '/api/obd/cli/group/update',
    input: z.object({ ...Group, cliId: Id }),
    reply: Message,
  }),
  group: json({
    method: 'GET',
    path: '/api/obd/cli/group/:cliId',
    input: z.object({ cliId: Id }),
    reply: z.object({
      cliId: z.number(),
      groupName: z.string(),
      trunkName: z.nullable(z.string()),
      members: z.array(
        z.object({
          cliId: z.number(),
          cli: z.string(),
          channels: z.number(),
          /** As in the list of caller IDs. Calls show active ones only. */
          cliStatus: z.number(),
          weight: z.number(),
        }),
      ),
    }),
  }),
  /** All rows or none. `cliId` identifies a row; `cli` is only its label. */
  allocate: json({
    method: 'POST',
    path: '/api/obd/allocate/cli',
    input: z.object({
      cliRows: z._default(
        jsonOr(
          z
            .array(z.object({ cli: z.optional(z.unknown()), cliId: Chosen, userId: Chosen }))
            .check(z.maxLength(cliRowsMax, { error: `has more than ${cliRowsMax} rows` })),
        ),
        [],
      ),
    }),
    reply: Message,
  }),
  /** Takes it back together with everything that was passed on. `userId` says from whom, when several have it from the viewer. */
  deallocate: json({
    method: 'DELETE',
    path: '/api/obd/cli/deallocate',
    input: z.object({ cliId: Id, userId: z.optional(Id) }),
    reply: Message,
  }),
  /** Each is decided separately. For a reseller, a CLI that came from somebody else does not exist. */
  deallocateMany: json({
    method: 'POST',
    path: '/api/obd/clis/deallocate',
    input: z.object({ allocationIds: Ids }),
    reply: Outcomes,
  }),
  /**
   * A super admin deletes the CLI; others give back their own, with everything that they passed on. `allocated` and `userId` have no effect: the
   * role decides.
   */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/cli',
    input: z.object({
      cliId: Id,
      userId: z.optional(Id),
      allocated: z.optional(wireInt(0, 2)),
    }),
    reply: Message,
  }),
  /** Each is decided separately. */
  deleteMany: json({
    method: 'POST',
    path: '/api/obd/clis/delete',
    input: z.object({ cliIds: Ids }),
    reply: Outcomes,
  }),
  /** Lines of `cli,channels,trunkName` with an optional header. The form's `trunkName` applies to lines without one. */
  upload: upload({
    path: '/api/obd/cliupload',
    input: z.object({
      pool: z._default(z.enum(cliPools, { error: 'must be dedicated or shared' }), 'shared'),
      uploadType: z._default(z.enum(cliUploadTypes, { error: 'must be new or move' }), 'new'),
      trunkName: z.optional(Name),
    }),
    files: { cliFile: { maxBytes: cliFileMaxBytes, required: true } },
    reply: CliUploaded,
  }),
}
export type CliGroup = ReplyOf<typeof lineRoutes.group>
