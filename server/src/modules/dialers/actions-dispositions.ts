import type { InputOf } from '@ghanti/contract/route.ts'
import type { trunkDispositionRoutes } from '@ghanti/contract/trunk-dispositions.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import * as store from './store-dispositions.ts'
import { lockTrunk } from './store-trunks.ts'

type Added = InputOf<typeof trunkDispositionRoutes.add>

/** Applies to calls that end after the engine's next tick. */
export async function addDisposition(ctx: Ctx, { trunkId, sipStatus, q850Cause, ...means }: Added): Promise<number> {
  if (sipStatus === undefined && q850Cause === undefined)
    throw badField('sipStatus', 'is required, or a Q.850 cause', 'required')
  return ctx.app.db.transaction().execute(async (tx) => {
    const trunk = await lockTrunk(tx, trunkId)
    if (!trunk) throw new AppError('not_found')
    if (await store.hasCode(tx, trunkId, { sipStatus, q850Cause })) {
      const field = sipStatus === undefined ? 'q850Cause' : 'sipStatus'
      const codes = [sipStatus, q850Cause].filter((code) => code !== undefined).join(' with ')
      throw conflict(field, `${codes} has a row already: remove that one first`, 'taken')
    }
    const row = { trunk_id: trunkId, sip_status: sipStatus ?? null, q850_cause: q850Cause ?? null, ...means }
    const dispositionId = await store.insertDisposition(tx, row)
    await audit(tx, ctx, 'trunk.disposition.add', `trunk ${trunkId}`, {
      name: trunk.name,
      ...means,
      sipStatus,
      q850Cause,
    })
    return dispositionId
  })
}

export async function removeDisposition(ctx: Ctx, dispositionId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const row = await store.deleteDisposition(tx, dispositionId)
    if (!row) throw new AppError('not_found')
    const { trunk_id: trunkId, sip_status: sipStatus, q850_cause: q850Cause, disposition, sign } = row
    await audit(tx, ctx, 'trunk.disposition.delete', `trunk ${trunkId}`, { sipStatus, q850Cause, disposition, sign })
  })
}
