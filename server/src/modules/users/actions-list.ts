import { personOf } from '@ghanti/contract/persons.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { SuperAdminRow, userRoutes, UserRow } from '@ghanti/contract/users.ts'
import { csvStream, csvType, rupeesCell, type CsvCell } from '../../lib/csv.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply, Page } from '../../http/types.ts'
import { scopeOf, scopeOfFilter, scopeOfPath, type Viewer } from '../../policy.ts'
import { auditRead } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { balanceOf } from '../credits/actions.ts'
import { mailStateOf } from '../mail/actions.ts'
import { isChildOf, userTypeOf } from './rules.ts'
import * as accounts from './store-account.ts'
import * as store from './store-list.ts'
import { listSuperAdmins } from './store-operator.ts'

type UserPage = Page<UserRow> & { beside: { adminCredits: number | null } }

type Filter = Omit<InputOf<typeof userRoutes.list>, 'userId'>

/**
 * The viewer's own id shows all that the role may read, another id the direct children of that account (docs/api.md#the-userid-in-a-path).
 */
async function viewOf({ app, viewer }: Ctx, userId: number, filter: Filter): Promise<store.UsersView> {
  const { userType, state: states, parent } = filter
  await scopeOfPath(app.db, viewer, userId)
  const scope = scopeOf(viewer)
  await scopeOfFilter(app.db, scope, 'parent', parent)
  const childrenOf = [...(userId === viewer.userId ? [] : [userId]), ...(parent === undefined ? [] : [parent])]
  return { scope, viewerId: viewer.userId, childrenOf, role: userType, states, now: app.clock.now() }
}

export async function listUsers(ctx: Ctx, userId: number, filter: Filter, query: ListQuery): Promise<UserPage> {
  const { app, viewer } = ctx
  const view = await viewOf(ctx, userId, filter)
  const [page, credits] = await Promise.all([store.listUsers(app.db, view, query), creditsOf(ctx, userId)])
  return { ...page, rows: page.rows.map((row) => rowOf(row, viewer)), beside: { adminCredits: credits } }
}

/** Super admins act on the mint, whose balance means nothing. */
async function creditsOf({ app, viewer }: Ctx, userId: number): Promise<number | null> {
  const account = await accounts.find(app.db, scopeOf(viewer), userId)
  return !account || account.role === 'superAdmin' ? null : rupeesOf((await balanceOf(app.db, userId)).paisa)
}

function rowOf(user: store.ListedUser, viewer: Viewer): UserRow {
  return {
    userId: user.id,
    username: user.username,
    ...personOf(user),
    mail: mailStateOf({ emailid: user.emailid, confirmed: user.mailConfirmed, waits: user.mailWaits }),
    userType: userTypeOf(user.role),
    accountType: accountTypes.indexOf(user.accountType),
    credits: rupeesOf(user.paisa),
    reserved: rupeesOf(user.reservedPaisa),
    planId: user.planId,
    planName: user.planName,
    parentId: user.parentId,
    parentUser: user.parentUser,
    isChild: isChildOf(viewer, user),
    expiryDate: user.expiresAt && nepalTimeOf(user.expiresAt),
    channels: user.channels,
    usercli: user.clis,
    usercliCount: user.cliCount,
    disabled: user.disabledAt && {
      reason: user.disabledReason ?? '',
      since: nepalTimeOf(user.disabledAt),
      byPlatform: user.disabledByPlatform,
    },
    stoppedBy: user.stoppedBy,
    frozen: user.frozenAt && {
      reason: user.frozenReason ?? '',
      since: nepalTimeOf(user.frozenAt),
      byPlatform: user.frozenByPlatform,
      byOwner: user.frozenByOwner,
    },
    frozenBy: user.frozenBy,
  }
}

export async function listedUser({ app, viewer }: Pick<Ctx, 'app' | 'viewer'>, userId: number): Promise<UserRow> {
  const user = await store.findListed(app.db, scopeOf(viewer), viewer.userId, userId)
  if (!user) throw new AppError('not_found')
  return rowOf(user, viewer)
}

export async function superAdminsPage(
  db: Db,
  state: InputOf<typeof userRoutes.superAdmins>['state'],
  query: ListQuery,
): Promise<Page<SuperAdminRow>> {
  const page = await listSuperAdmins(db, state, query)
  const rows = page.rows.map((one) => ({
    userId: one.userId,
    username: one.username,
    name: one.name,
    emailid: one.emailid,
    createdAt: nepalTimeOf(one.createdAt),
    sessions: one.sessions,
    hasSecondFactor: one.hasSecondFactor,
    disabled: one.disabledAt && {
      reason: one.disabledReason ?? '',
      since: nepalTimeOf(one.disabledAt),
      by: one.disabledBy,
    },
  }))
  return { ...page, rows }
}

type CsvColumns = Readonly<Record<string, (row: UserRow) => CsvCell>>

const screenColumns: CsvColumns = {
  Username: (row) => row.username,
  Name: (row) => row.name,
  Company: (row) => row.company,
  Type: (row) => (row.userType === 'reseller' ? 'Reseller' : 'User'),
  'Credits(Rs)': (row) => rupeesCell(row.credits - row.reserved),
  Plan: (row) => row.planName,
  Parent: (row) => row.parentUser,
  'Expiry Date': (row) => row.expiryDate,
  Channels: (row) => row.channels,
}
const allColumns: CsvColumns = {
  ...screenColumns,
  'Reserved(Rs)': (row) => rupeesCell(row.reserved),
  CLIs: (row) => row.usercli,
  State: (row) => {
    if (row.frozen) return `Frozen: ${row.frozen.reason}`
    if (row.frozenBy !== null) return `Frozen with ${row.frozenBy}`
    if (row.disabled) return `Disabled: ${row.disabled.reason}`
    return row.stoppedBy === null ? '' : `Disabled with ${row.stoppedBy}`
  },
  'E-mail': (row) => row.emailid,
  Number: (row) => row.number,
  Address: (row) => row.address,
  Pincode: (row) => row.pincode,
}

type CsvAsked = { search?: string | undefined; columns?: 'screen' | 'all' | undefined; filter: Filter }

export async function usersCsv(ctx: Ctx, userId: number, asked: CsvAsked): Promise<FileReply> {
  const { app, viewer } = ctx
  const { search, columns = 'screen', filter } = asked
  const view = await viewOf(ctx, userId, filter)
  const detail = { search: searchedWords(search, filter), columns }
  const csvColumns = columns === 'all' ? allColumns : screenColumns
  await auditRead(ctx, { action: 'user.export', target: `user ${userId}`, ownerId: userId, detail })
  async function* rows(): AsyncGenerator<CsvCell[]> {
    for await (const batch of store.everyUser(app.db, view, search))
      for (const user of batch) {
        const row = rowOf(user, viewer)
        yield Object.values(csvColumns).map((cell) => cell(row))
      }
  }
  return {
    type: csvType,
    fileName: columns === 'all' ? 'users-all-columns.csv' : 'users.csv',
    body: { stream: csvStream(Object.keys(csvColumns), rows()) },
  }
}
