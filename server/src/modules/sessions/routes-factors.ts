import { messages } from '@ghanti/contract/messages.ts'
import type { Tx } from '../../db/db.ts'
import type { CookieJar, Ctx, Handlers } from '../../http/types.ts'
import { completeSession, endOtherSessions } from '../auth/actions.ts'
import { fromOf, isBrowserKnown } from '../auth/actions-new-browser.ts'
import { proveSession } from '../auth/actions-prove.ts'
import { brandOfHost } from '../branding/actions.ts'
import { addTotp, beginTotp, makeRecoveryCodes, ownFactors, removeFactor } from '../factors/actions.ts'
import type { Beginning } from '../factors/actions-adding.ts'
import { addPasskey, beginPasskey } from '../factors/actions-passkeys.ts'
import { newBrowserDays } from '../factors/rules.ts'
import { removeFactors } from '../users/actions-factors.ts'

const acting = (ctx: Ctx) => ({ ...ctx, from: fromOf(ctx.origin) })

async function beginning({ app, viewer, origin, cookies }: Ctx & { cookies: CookieJar }): Promise<Beginning> {
  const isKnown = await isBrowserKnown(app, cookies.device, viewer.userId, newBrowserDays)
  const { company } = await brandOfHost(app, origin.host)
  return { isKnown, company }
}

/** A session that lacked a second factor has it. The password alone opened the others, to a stranger perhaps: the first factor ends them. */
function added({ viewer }: Ctx): (tx: Tx, isFirst: boolean) => Promise<void> {
  return async (tx, isFirst) => {
    if (viewer.must === 'factor') await completeSession(tx, viewer)
    if (isFirst) await endOtherSessions(tx, viewer)
  }
}

export const factorHandlers: Handlers<'factors'> = {
  list: (ctx) => ownFactors(ctx),
  async beginTotp(ctx) {
    return beginTotp(ctx, await beginning(ctx))
  },
  async addTotp(ctx, input) {
    return { message: messages.success, factorId: await addTotp(acting(ctx), input, added(ctx)) }
  },
  async passkeyOptions(ctx) {
    return beginPasskey(ctx, await beginning(ctx))
  },
  async addPasskey(ctx, input) {
    return { message: messages.success, factorId: await addPasskey(acting(ctx), input, added(ctx)) }
  },
  async makeRecovery(ctx) {
    return { message: messages.success, codes: await makeRecoveryCodes(acting(ctx)) }
  },
  async remove(ctx, { factorId }) {
    await removeFactor(acting(ctx), factorId)
    return { message: messages.success }
  },
  async prove(ctx, said) {
    await proveSession(ctx, { ...said, cookie: ctx.cookies.device })
    return { message: messages.success }
  },
  async removeAll(ctx, input) {
    await removeFactors(ctx, input)
    return { message: messages.success }
  },
}
