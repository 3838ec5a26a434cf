import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { changeSetting, settingOf } from './actions.ts'
import { inOrder, wordsOf } from './rules-hours.ts'
import * as store from './store-hours.ts'

/** The engine applies them within seconds, when it next reads the settings. */
export async function saveHours(
  ctx: Ctx,
  wanted: { hours: CallingHours; dialDays?: number | undefined },
): Promise<void> {
  const { app, viewer } = ctx
  const hours = inOrder(wanted.hours)
  await app.db.transaction().execute(async (tx) => {
    await changeSetting(tx, 'callingHours', hours, viewer.userId)
    await audit(tx, ctx, 'hours.change', 'platform', { hours: wordsOf(hours), holidays: hours.holidays.length })
    const before = await settingOf(tx, 'dialDays')
    if (wanted.dialDays === undefined || wanted.dialDays === before) return
    await changeSetting(tx, 'dialDays', wanted.dialDays, viewer.userId)
    await audit(tx, ctx, 'setting.change', 'platform', { name: 'dial days', before, after: wanted.dialDays })
  })
}

type Exception = { userId: number; hours: CallingHours; reason: string }

/** Applies to the account and to all below it without hours of their own. */
export async function saveException(ctx: Ctx, { userId, reason, ...wanted }: Exception): Promise<void> {
  const { app, viewer } = ctx
  const hours = inOrder(wanted.hours)
  await app.db.transaction().execute(async (tx) => {
    const username = await store.accountNamed(tx, userId)
    if (username === undefined) throw new AppError('not_found')
    await store.writeException(tx, { userId, hours, reason, byUserId: viewer.userId, at: app.clock.now() })
    await audit(tx, ctx, 'hours.except', `user ${userId}`, {
      hours: wordsOf(hours),
      holidays: hours.holidays.length,
      reason,
    })
  })
}

export async function removeException(ctx: Ctx, userId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    if (!(await store.removeException(tx, userId))) throw new AppError('not_found')
    await audit(tx, ctx, 'hours.asPlatform', `user ${userId}`)
  })
}
