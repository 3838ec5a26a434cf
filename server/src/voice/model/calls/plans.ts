import type { FilesDriver } from '../../../drivers/files/driver.ts'
import { planOf, type Plan } from './plan.ts'
import type { Queryable } from '../../../dispatch/statement.ts'

export class Plans {
  readonly #db: Queryable
  readonly #files: FilesDriver
  readonly #plans = new Map<number, Promise<Plan>>()

  constructor(db: Queryable, files: FilesDriver) {
    this.#db = db
    this.#files = files
  }

  of(campaignId: number): Promise<Plan> {
    const known = this.#plans.get(campaignId)
    if (known) return known
    const plan = planOf(this.#db, this.#files, campaignId)
    this.#plans.set(campaignId, plan)
    plan.catch(() => this.#plans.delete(campaignId))
    return plan
  }

  forget(campaignId: number): void {
    this.#plans.delete(campaignId)
  }
}
