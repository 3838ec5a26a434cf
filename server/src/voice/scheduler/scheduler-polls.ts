import type { Queryable } from '../../dispatch/statement.ts'
import { BatchedQuery } from '../../dispatch/rounds/batched-query.ts'
import { Flagged } from '../../dispatch/rounds/flagged.ts'
import { grantChannels, type ChannelAsk, type FreeChannels } from './capacity/channels.sql.ts'
import { Snapshots } from './snapshot/snapshots.ts'

/** What ticks ask the database again and again, for all dialers of this process at once. */
export class SchedulerPolls {
  readonly snapshots: Snapshots
  /** Whether the dialer has a campaign that does not only wait for something outside. */
  readonly active = new Flagged()
  /** Whether it has campaigns, all of which do. */
  readonly waiting = new Flagged()
  /** How many calls of accounts a dialer may begin, after it asked for more. */
  readonly channels: BatchedQuery<ChannelAsk, FreeChannels>

  constructor(db: Queryable) {
    this.snapshots = new Snapshots(db)
    this.channels = new BatchedQuery(async (asks) => {
      const free = await grantChannels(db, asks)
      return new Map(asks.map((ask) => [ask, free.get(ask.lease.dialerId) ?? new Map<number, number>()]))
    })
  }
}
