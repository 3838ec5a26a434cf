import { loadRests, type Rests } from './resting.sql.ts'
import type { Queryable } from '../../statement.ts'
import type { CampaignRow } from './snapshot.sql.ts'

/** What rows wait for in campaigns of which no row may be called now. Read again when the queue has changed. */
export class Resting {
  readonly #db: Queryable
  readonly #known = new Map<number, { queue: string; rests: Rests | null }>()

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Null: some of its rows may be called, or are being called. */
  async of(campaign: CampaignRow): Promise<Rests | null> {
    const { id, status, fresh, waiting, fresh_left, retry_due, in_call, next_due_us, next_due_no } = campaign
    if (status !== 'running' || fresh_left > 0 || retry_due || in_call > 0 || next_due_us === null) {
      this.#known.delete(id)
      return null
    }
    const queue = [fresh, waiting, next_due_us, next_due_no].join(' ')
    const known = this.#known.get(id)
    if (known?.queue === queue) return known.rests
    const rests = await loadRests(this.#db, id)
    this.#known.set(id, { queue, rests })
    return rests
  }

  over(campaignId: number): void {
    this.#known.delete(campaignId)
  }
}
