import type { Db } from '../../db/db.ts'
import type { Ctx, Origin } from '../../http/types.ts'
import type { personalReads } from '../../personal-reads.ts'
import * as store from './store.ts'

type PersonalRead = (typeof personalReads)[keyof typeof personalReads]

/** A handler's context, or what a job passes. */
export type Actor = { viewer: { userId: number } | null; origin: Pick<Origin, 'ip'> }

/** 'prompt.approve' of 'prompt 12', in the action's transaction, so that neither exists without the other. `detail`: no secrets, no contacts' data. */
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

/** The changed account's owner reads the line: whoever sets its password can read everything in the owner's name. */
function accountOf(action: string, target: string | null): number | null {
  const [, id] = (action.startsWith('user.') && /^user (\d{1,9})$/.exec(target ?? '')) || []
  return id === undefined ? null : Number(id)
}

const hourMs = 3600_000

/** `target`: as the log names it ('campaign 12'). */
type Opened = { action: PersonalRead; target: string; ownerId: number; detail?: Readonly<Record<string, unknown>> }

/** Once per hour and search, for the owner to see who opened their data. Before the reply: what cannot be recorded is not shown. */
export async function auditRead(
  { app, viewer, origin }: Ctx,
  { action, target, ownerId, detail = {} }: Opened,
): Promise<void> {
  const hour = new Date(Math.floor(app.clock.now().getTime() / hourMs) * hourMs)
  const whose = ownerId === viewer.userId ? {} : { ownerId }
  const line = { actorId: viewer.userId, ownerId, ip: origin.ip, action, target, detail: { ...detail, ...whose }, hour }
  await store.insertRead(app.db, line)
}

/** A line for each account whose data a list showed, once per hour, without the search, which is not theirs to know. */
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
