import { messages } from '@ghanti/contract/messages.ts'
import type { Tx } from '../../db/db.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { completeSession, endOtherSessions } from '../auth/actions.ts'
import { fromOf, isBrowserKnown } from '../auth/actions-new-browser.ts'
import { proveSession } from '../auth/actions-prove.ts'
import { brandOfHost } from '../branding/actions.ts'
import { addTotp, beginTotp, makeRecoveryCodes, ownFactors, removeFactor } from '../factors/actions.ts'
import { newBrowserDays } from '../factors/rules.ts'
import { removeFactors } from '../users/actions-factors.ts'

const acting = (ctx: Ctx) => ({ ...ctx, from: fromOf(ctx.origin) })

export const factorHandlers: Handlers<'factors'> = {
  list: (ctx) => ownFactors(ctx),
  async beginTotp(ctx) {
    const { app, viewer, origin, cookies } = ctx
    const isKnown = await isBrowserKnown(app, cookies.device, viewer.userId, newBrowserDays)
    const { company } = await brandOfHost(app, origin.host)
    return beginTotp(ctx, { isKnown, company })
  },
  async addTotp(ctx, input) {
    const { viewer } = ctx
    const added = async (tx: Tx, isFirst: boolean): Promise<void> => {
      if (viewer.must === 'factor') await completeSession(tx, viewer)
      if (isFirst) await endOtherSessions(tx, viewer) // the password alone opened them, to a stranger perhaps
    }
    return { message: messages.success, factorId: await addTotp(acting(ctx), input, added) }
  },
  async makeRecovery(ctx) {
    return { message: messages.success, codes: await makeRecoveryCodes(acting(ctx)) }
  },
  async remove(ctx, { factorId }) {
    await removeFactor(acting(ctx), factorId)
    return { message: messages.success }
  },
  async prove(ctx, { code, password }) {
    await proveSession(ctx, { code, password, cookie: ctx.cookies.device })
    return { message: messages.success }
  },
  async removeAll(ctx, input) {
    await removeFactors(ctx, input)
    return { message: messages.success }
  },
}
