import type { Db } from '../../db/db.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import type { personalReads } from '../../personal-reads.ts'
import * as store from './store.ts'

type PersonalRead = (typeof personalReads)[keyof typeof personalReads]

/** Who acted and from where: a handler's context, or what a job passes. */
export type Actor = { viewer: { userId: number; key?: { name: string } } | null; origin: Pick<Origin, 'ip'> }

/**
 * Writes one audit line, such as 'prompt.approve' of 'prompt 12', in the transaction of the action, so that neither exists without the
 * other. `detail` holds no secrets and no contacts' data.
 */
export async function audit(
  db: Db,
  actor: Actor,
  action: string,
  target: string | null,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const actorId = actor.viewer?.userId ?? null
  const ownerId = accountOf(action, target)
  await store.insert(db, {
    actorId,
    ownerId: ownerId === actorId ? null : ownerId,
    ip: actor.origin.ip,
    action,
    target,
    detail: { ...detail, ...byKey(actor.viewer) },
  })
}

/** The key that a program used, by its name. */
function byKey(viewer: Actor['viewer']): { apiKey?: string } {
  return viewer?.key ? { apiKey: viewer.key.name } : {}
}

/** The account that was changed. Its owner reads the line: whoever sets its password can read everything in the owner's name. */
function accountOf(action: string, target: string | null): number | null {
  const [, id] = (action.startsWith('user.') && /^user (\d{1,9})$/.exec(target ?? '')) || []
  return id === undefined ? null : Number(id)
}

const hourMs = 3600_000

/** `target`: as the log names it ('campaign 12'). */
type Opened = { action: PersonalRead; target: string; ownerId: number; detail?: Readonly<Record<string, unknown>> }

/**
 * Records that personal data was opened, once per hour and search. Called before the reply: what cannot be recorded is not shown. The owner
 * sees in the audit log who above opened it.
 */
export async function auditRead(
  { app, viewer, origin }: Ctx,
  { action, target, ownerId, detail = {} }: Opened,
): Promise<void> {
  const hour = new Date(Math.floor(app.clock.now().getTime() / hourMs) * hourMs)
  const whose = ownerId === viewer.userId ? {} : { ownerId }
  const line = {
    actorId: viewer.userId,
    ownerId,
    ip: origin.ip,
    action,
    target,
    detail: { ...detail, ...whose, ...byKey(viewer) },
    hour,
  }
  await store.insertRead(app.db, line)
}

/**
 * Records for each account whose data a list showed that it was read, once per hour. Leaves out the search, which is not theirs to know.
 */
export async function auditReadOf(
  { app, viewer, origin }: Ctx,
  action: PersonalRead,
  ownerIds: readonly number[],
): Promise<void> {
  const others = ownerIds.filter((id) => id !== viewer.userId)
  if (others.length === 0) return
  const hour = new Date(Math.floor(app.clock.now().getTime() / hourMs) * hourMs)
  const line = { actorId: viewer.userId, ip: origin.ip, action, detail: byKey(viewer), hour }
  await store.insertReadsOf(app.db, others, line)
}
