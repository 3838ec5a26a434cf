import { loadQueueWait, type QueueWait } from './queue-waits.sql.ts'
import type { Queryable } from '../../../dispatch/statement.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'

/** What the rows of a campaign wait for while none of them may be called. Read again when the queue has changed. */
export class QueueWaits {
  readonly #db: Queryable
  readonly #known = new Map<number, { queue: string; queueWait: QueueWait | null }>()

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Null: some of its rows may be called, or are being called. */
  async of(campaign: CampaignRow): Promise<QueueWait | null> {
    const { id, status, fresh, waiting, fresh_left, retry_due, in_call, next_due_us, next_due_no } = campaign
    if (status !== 'running' || fresh_left > 0 || retry_due || in_call > 0 || next_due_us === null) {
      this.#known.delete(id)
      return null
    }
    const queue = [fresh, waiting, next_due_us, next_due_no].join(' ')
    const known = this.#known.get(id)
    if (known?.queue === queue) return known.queueWait
    const queueWait = await loadQueueWait(this.#db, id)
    this.#known.set(id, { queue, queueWait })
    return queueWait
  }

  over(campaignId: number): void {
    this.#known.delete(campaignId)
  }
}
