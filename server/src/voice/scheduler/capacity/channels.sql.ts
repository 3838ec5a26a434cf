import { arraysOf, columnsOf, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

/** How many calls more a dialer would like to begin of the first account in `payerIds`. The accounts above it must have channels for them too. */
export type ChannelAsk = { lease: Lease; wants: readonly { payerIds: readonly number[]; calls: number }[] }

/** By account: how many calls a dialer may begin of it and all below it. */
export type FreeChannels = ReadonlyMap<number, number>

const grantStatement = statement<{ dialer_id: number; account_id: number; free: number }>(
  'grant_channels',
  'select dialer_id, account_id, free from grant_channels($1, $2, $3, $4, $5, $6, $7)',
)

/**
 * Grants channels of accounts to dialers of one engine (docs/adr/55), and gives back what they do not use. Answers, by dialer, the accounts of which it
 * has some or was asked for. A dialer whose lease is lost gets nothing.
 */
export async function grantChannels(
  db: Queryable,
  asks: readonly ChannelAsk[],
): Promise<ReadonlyMap<number, FreeChannels>> {
  const [dialers, [engine], epochs] = columnsOf(asks.map(({ lease }) => lease))
  const rows = grantRowsOf(asks)
  const placeOf = new Map(rows.map((row, i) => [keyOf(row.dialerId, row.accountId), i + 1]))
  const granted = await run(db, grantStatement, [
    engine,
    dialers,
    epochs,
    ...arraysOf(rows, 'dialerId', 'accountId'),
    rows.map(({ dialerId, aboveId }) => (aboveId === undefined ? 0 : placeOf.get(keyOf(dialerId, aboveId)))),
    rows.map(({ calls }) => calls),
  ])
  const byDialer = Map.groupBy(granted, (row) => row.dialer_id)
  const freeOf = (dialerId: number): FreeChannels =>
    new Map(byDialer.get(dialerId)?.map((row) => [row.account_id, row.free]))
  return new Map(dialers.map((dialerId) => [dialerId, freeOf(dialerId)]))
}

type GrantRow = { dialerId: number; accountId: number; aboveId: number | undefined; calls: number }

const keyOf = (dialerId: number, accountId: number): string => `${dialerId} ${accountId}`

/** One for each dialer and account, from the highest account. */
function grantRowsOf(asks: readonly ChannelAsk[]): GrantRow[] {
  const rows = new Map<string, GrantRow>()
  for (const { lease, wants } of asks)
    for (const { payerIds, calls } of wants)
      for (const [level, accountId] of payerIds.entries()) {
        const { dialerId } = lease
        const row = rows.get(keyOf(dialerId, accountId)) ?? {
          dialerId,
          accountId,
          aboveId: payerIds[level + 1],
          calls: 0,
        }
        rows.set(keyOf(dialerId, accountId), { ...row, calls: row.calls + (level === 0 ? calls : 0) })
      }
  return [...rows.values()].toSorted((one, other) => other.accountId - one.accountId)
}
