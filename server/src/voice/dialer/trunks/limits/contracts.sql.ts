import { arraysOf, columnsOf, run, statement, type Lease, type Queryable } from '../../../../dispatch/statement.ts'

/** How much of a contract its dialer uses now, and how much it would use: channels, and calls begun within a second. */
export type ContractWant = { contractId: number; legs: number; channels: number; begun: number; cps: number }

/** All contracts of a dialer's trunks, with what it wants of each. */
export type ContractAsk = { lease: Lease; wants: readonly ContractWant[] }

/** How many channels a dialer may have in use, and how many calls it may begin within a second. `…Taken`: by all dialers. */
export type ContractGrant = { channels: number; cps: number; channelsTaken: number; cpsTaken: number }

/** By contract. */
export type ContractGrants = ReadonlyMap<number, ContractGrant>

type Row = {
  dialer_id: number
  contract_id: number
  channels: number
  cps: number
  channels_taken: number
  cps_taken: number
}

const grantStatement = statement<Row>(
  'grant_contracts',
  'select dialer_id, contract_id, channels, cps, channels_taken, cps_taken from grant_contracts($1, $2, $3, $4, $5, $6, $7, $8, $9)',
)

/**
 * Grants dialers of one engine what they may use of contracts (docs/adr/59), and takes back what they do not want any more. Answers by dialer. A dialer
 * whose lease is lost gets nothing.
 */
export async function grantContracts(
  db: Queryable,
  asks: readonly ContractAsk[],
): Promise<ReadonlyMap<number, ContractGrants>> {
  const [dialers, [engine], epochs] = columnsOf(asks.map(({ lease }) => lease))
  const lines = asks.flatMap(({ lease, wants }) => wants.map((want) => ({ dialerId: lease.dialerId, ...want })))
  const rows = await run(db, grantStatement, [
    engine,
    dialers,
    epochs,
    ...arraysOf(lines, 'dialerId', 'contractId', 'legs', 'channels', 'begun', 'cps'),
  ])
  const byDialer = Map.groupBy(rows, (row) => row.dialer_id)
  return new Map(dialers.map((dialerId) => [dialerId, new Map(byDialer.get(dialerId)?.map(grantOf))]))
}

function grantOf(row: Row): [number, ContractGrant] {
  const { contract_id, channels, cps, channels_taken: channelsTaken, cps_taken: cpsTaken } = row
  return [contract_id, { channels, cps, channelsTaken, cpsTaken }]
}
