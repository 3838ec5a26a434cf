import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { campaignStatusLabel, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { CliRow } from '@ghanti/contract/lines.ts'
import { cliTaken, messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { CsvCell } from '../../lib/csv.ts'
import type { FieldError } from '../../errors.ts'
import type { CliListed } from './store-list.ts'

const campaignsShown = 3

/** Why a caller ID cannot be moved, taken back or removed, continuing a sentence after its number; null when no campaign uses it. */
export function usedBy(campaigns: readonly { name: string; status: CampaignStatus }[]): string | null {
  if (campaigns.length === 0) return null
  const names = campaigns
    .slice(0, campaignsShown)
    .map(({ name, status }) => `'${name}' (${campaignStatusLabel[status]})`)
  return `is used by ${names.join(', ')}: wait until they are finished or stop them`
}

type Holding = { cliId: number; accountId: number; username: string; givenBy: number; ofPlatform: boolean }
export type Giver = { userId: number; role: Role }

/** All super admins count as one giver. */
export function isGivenBy(giver: Giver, holding: Pick<Holding, 'givenBy' | 'ofPlatform'>): boolean {
  return giver.role === 'superAdmin' ? holding.ofPlatform : holding.givenBy === giver.userId
}

/** The account and everybody who holds the CLI through it. */
export function withAllPassedOn(holdings: readonly Holding[], cliId: number, accountId: number): number[] {
  const found = [accountId]
  for (const from of found)
    for (const { cliId: of, accountId: to, givenBy } of holdings)
      if (of === cliId && givenBy === from && !found.includes(to)) found.push(to)
  return found
}

export type AllocationRow = { cliId?: number | undefined; userId?: number | undefined }
type AllocationContext = {
  giver: Giver
  clis: ReadonlyMap<number, { number: string; pool: string }>
  holdings: readonly Holding[]
  /** Names, by id, of the accounts to which the giver may allocate. */
  takers: ReadonlyMap<number, string>
}
type Problem = FieldError & { isConflict: boolean }

/** Everything wrong with the rows; empty when they can be allocated. */
export function allocationProblems(rows: readonly AllocationRow[], context: AllocationContext): Problem[] {
  if (rows.length === 0) return [bad('cliRows', messages.cliRowMissing, 'required')]
  const seen = new Set<number>()
  return rows.flatMap((row, n) => {
    const again = row.cliId !== undefined && seen.has(row.cliId)
    if (row.cliId !== undefined) seen.add(row.cliId)
    return [
      cliProblem(row, `cliRows.${n}.cliId`, again, context),
      takerProblem(row, `cliRows.${n}.userId`, context),
    ].filter((problem) => problem !== null)
  })
}

function cliProblem(
  { cliId, userId }: AllocationRow,
  field: string,
  again: boolean,
  context: AllocationContext,
): Problem | null {
  if (cliId === undefined) return bad(field, messages.cliMissing, 'required')
  const { giver } = context
  const cli = context.clis.get(cliId)
  const holdings = context.holdings.filter((holding) => holding.cliId === cliId)
  const isTheirs = giver.role === 'superAdmin' || holdings.some(({ accountId }) => accountId === giver.userId)
  if (!cli || !isTheirs) return bad(field, 'is not a caller ID of yours', 'not_found')
  if (again) return bad(field, cliTaken(cli.number), 'twice')
  const taken =
    holdings.find(({ accountId }) => accountId === userId) ??
    (cli.pool === 'dedicated' ? holdings.find((holding) => isGivenBy(giver, holding)) : undefined)
  if (!taken) return null
  return { field, code: 'taken', text: `is allocated to '${taken.username}' already`, isConflict: true }
}

function takerProblem({ userId }: AllocationRow, field: string, { takers }: AllocationContext): Problem | null {
  if (userId === undefined) return bad(field, 'is required', 'required')
  return takers.has(userId) ? null : bad(field, 'is not an account to which you can allocate', 'not_found')
}

function bad(field: string, text: string, code: FaultCode): Problem {
  return { field, code, text, isConflict: false }
}

/** Only super admins see trunks and dialers. */
export function rowOf(cli: CliListed, role: Role): CliRow {
  const { allocationId, userId, username, givenBy } = cli
  const isSuperAdmin = role === 'superAdmin'
  return {
    cliId: cli.id,
    cli: cli.number,
    channels: cli.channels,
    cliStatus: cli.active ? 1 : 0,
    pool: cli.pool === 'shared' ? 'shared' : 'dedicated',
    members: cli.members,
    trunkId: isSuperAdmin ? cli.trunkId : null,
    trunkName: isSuperAdmin ? cli.trunkName : null,
    dialerName: isSuperAdmin ? cli.dialerName : null,
    routeId: isSuperAdmin ? cli.routeId : null,
    routeName: isSuperAdmin ? cli.routeName : null,
    pilotNumber: isSuperAdmin ? cli.pilotNumber : null,
    holders: cli.holders,
    holderCount: cli.holderCount,
    allocation:
      allocationId !== null && userId !== null && username !== null && givenBy !== null
        ? { allocationId, userId, username, givenBy }
        : null,
  }
}

type Columns = Readonly<Record<string, (row: CliRow) => CsvCell>>
const cliColumn: Columns = { CLI: (row) => row.cli }
const lineColumns: Columns = {
  Channels: (row) => row.channels,
  Status: (row) => (row.cliStatus === 1 ? 'Active' : 'Inactive'),
  Trunk: (row) => row.trunkName,
  Dialer: (row) => row.dialerName,
  'Pilot Number': (row) => row.pilotNumber,
  Pool: (row) => row.pool,
}
const allocationColumns: Columns = {
  'Allocated To': (row) => row.allocation?.username ?? null,
  'Allocated By': (row) => row.allocation?.givenBy ?? null,
}
const holderColumn: Columns = {
  'Allocated To': ({ holders, holderCount }) =>
    holderCount > holders.length
      ? `${holders.join(', ')} and ${holderCount - holders.length} more`
      : holders.join(', '),
}

/** The screen's columns by role (specification 2 §6): users and resellers see the number; those above others also see who holds it. */
export function csvColumns(role: Role, allocated: boolean): Columns {
  const passedOn = allocated ? allocationColumns : role === 'user' ? {} : holderColumn
  return { ...cliColumn, ...(role === 'superAdmin' ? lineColumns : {}), ...passedOn }
}
