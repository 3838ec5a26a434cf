import type { OpenSignIn } from '@ghanti/contract/sessions.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { endOtherSessions, endSession, openSessionsOf } from '../auth/actions.ts'
import { programOf } from '../security/rules.ts'

export async function openSignIns({ app, viewer }: Ctx): Promise<OpenSignIn[]> {
  const sessions = await openSessionsOf(app, viewer.userId)
  return sessions.map(({ id, openedAt, lastSeenAt, ip, userAgent, factor }) => ({
    sessionId: id,
    current: id === viewer.sessionId,
    openedAt: nepalTimeOf(openedAt),
    lastSeenAt: nepalTimeOf(lastSeenAt),
    ip,
    ...programOf(userAgent),
    factor,
  }))
}

type Which = { sessionId?: number | undefined; others?: true | undefined }

/** Ends one session of the own account, or all but the one that asks. Returns how many ended. */
export async function endSignIns(ctx: Ctx, { sessionId, others }: Which): Promise<number> {
  const { app, viewer } = ctx
  if ((sessionId === undefined) === (others === undefined))
    throw badField('sessionId', 'or `others` says which end: exactly one of the two', 'which')
  if (sessionId !== undefined && sessionId === viewer.sessionId)
    throw conflict('sessionId', 'is the one that you use: log out instead', 'current')
  return await app.db.transaction().execute(async (tx) => {
    const isOne = sessionId !== undefined
    const ended = isOne ? await endSession(tx, viewer, sessionId) : await endOtherSessions(tx, viewer)
    if (isOne && ended === 0) throw new AppError('not_found')
    if (ended > 0) await audit(tx, ctx, 'logout.elsewhere', `user ${viewer.userId}`, { sessions: ended })
    return ended
  })
}
