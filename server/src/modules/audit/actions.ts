import type { Db } from '../../db/db.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import type { personalReads } from '../../personal-reads.ts'
import * as store from './store.ts'

type PersonalRead = (typeof personalReads)[keyof typeof personalReads]

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
  const actorId = actor.viewer?.userId ?? null
  const ownerId = accountOf(action, target)
  await store.insert(db, {
    actorId,
    ownerId: ownerId === actorId ? null : ownerId,
    ip: actor.origin.ip,
    action,
    target,
    detail,
  })
}

/** Whose account was changed. Its owner reads it: with a password that somebody above has set, everything can be read in the owner's name. */
function accountOf(action: string, target: string | null): number | null {
  const [, id] = (action.startsWith('user.') && /^user (\d{1,9})$/.exec(target ?? '')) || []
  return id === undefined ? null : Number(id)
}

const hourMs = 3600_000

/** What was opened: whose it is, how the log calls it ('campaign 12'), and what it is called by people, if anything. */
type Opened = { action: PersonalRead; target: string; ownerId: number; detail?: Readonly<Record<string, unknown>> }

/**
 * The line that opening personal data leaves, once an hour for each search. Called before anything is answered: what cannot be written down is not shown. The owner
 * reads in the own audit log who of those above opened it.
 */
export async function auditRead(
  { app, viewer, origin }: Ctx,
  { action, target, ownerId, detail = {} }: Opened,
): Promise<void> {
  const hour = new Date(Math.floor(app.clock.now().getTime() / hourMs) * hourMs)
  const whose = ownerId === viewer.userId ? {} : { ownerId }
  const line = { actorId: viewer.userId, ownerId, ip: origin.ip, action, target, detail: { ...detail, ...whose }, hour }
  await store.insertRead(app.db, line)
}

/** The lines of those whose calls or the like were shown among others', one for each account and hour; without what was searched for, which is not theirs. */
export async function auditReadOf(
  { app, viewer, origin }: Ctx,
  action: PersonalRead,
  ownerIds: readonly number[],
): Promise<void> {
  const others = ownerIds.filter((id) => id !== viewer.userId)
  if (others.length === 0) return
  const hour = new Date(Math.floor(app.clock.now().getTime() / hourMs) * hourMs)
  await store.insertReadsOf(app.db, others, { actorId: viewer.userId, ip: origin.ip, action, hour })
}
