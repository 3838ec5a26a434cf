import type { Db } from '../../db/db.ts'
import type { Origin } from '../../http/types.ts'
import * as store from './store.ts'

/** Who did it and from where: a handler's context, or a job's own words. */
export type Actor = { viewer: { userId: number } | null; origin: Pick<Origin, 'ip'> }

/**
 * One line of the audit log: 'prompt.approve', 'prompt 12', what changed. Inside the transaction of the deed, so that neither is there
 * without the other. `detail` holds no secrets and no contacts' data.
 */
export async function audit(
  db: Db,
  actor: Actor,
  action: string,
  target: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await store.insert(db, { actorId: actor.viewer?.userId ?? null, ip: actor.origin.ip, action, target, detail })
}
