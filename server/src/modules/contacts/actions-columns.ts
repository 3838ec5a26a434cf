import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import type { SpokenFrom } from './rules.ts'
import * as store from './store.ts'

/**
 * Says which columns of a file the templates' columns are read from, besides those that were said before. The file stays as it is, and so do the rows of campaigns that
 * are prepared.
 */
export async function chooseColumns(ctx: Ctx, baseId: number, asked: Partial<Record<string, string>>): Promise<void> {
  const { app, viewer } = ctx
  const columns: SpokenFrom = Object.fromEntries(
    Object.entries(asked).flatMap(([name, from]) => (from ? [[name, from]] : [])),
  )
  await app.db.transaction().execute(async (tx) => {
    const base = await store.lockForColumns(tx, viewer.userId, baseId)
    if (!base) throw new AppError('not_found')
    const [, ...others] = base.columns
    const unknown = Object.values(columns).find((name) => !others.includes(name))
    if (unknown !== undefined)
      throw badField('columns', `names '${unknown}', which the file does not have`, 'not_found')
    if (await store.isBeingRead(tx, baseId))
      throw conflict('baseId', 'is being read for a campaign: try again in a minute', 'in_use')
    await store.setSpokenFrom(tx, baseId, { ...base.spoken_from, ...columns })
    await audit(tx, ctx, 'base.columns', `base ${baseId}`, { name: base.name, columns: JSON.stringify(columns) })
  })
}
