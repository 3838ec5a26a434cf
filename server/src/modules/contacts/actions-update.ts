import type { ColumnOrders, DateOrder } from '@ghanti/contract/date-orders.ts'
import { DatabaseError } from 'pg'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { chosenOrders, nameTaken, totalsOf } from './actions.ts'
import { decidedIn, ordersWith, storedOrders } from './rules-dates.ts'
import * as store from './store.ts'

type Changes = { baseName?: string | undefined; dateOrders?: Readonly<Record<string, DateOrder>> | undefined }

export async function updateBase(ctx: Ctx, baseId: number, { baseName, dateOrders }: Changes): Promise<void> {
  if (baseName === undefined && dateOrders === undefined) throw badField('baseName', 'is required', 'required')
  const ordered = dateOrders && (await orderedBase(ctx, baseId, dateOrders))
  if (baseName !== undefined) await renameBase(ctx, baseId, baseName)
  if (ordered) await saveOrders(ctx, ordered)
}

type Ordered = { base: NonNullable<Awaited<ReturnType<typeof store.find>>>; orders: ColumnOrders }

/** Pasted rows have dates too. Reads the file, because what its days prove goes before what people say. */
async function orderedBase(
  { app, viewer }: Ctx,
  baseId: number,
  asked: Readonly<Record<string, DateOrder>>,
): Promise<Ordered> {
  const base = await store.find(app.db, ownScope(viewer), baseId)
  if (!base) throw new AppError('not_found')
  const file = { path: await app.files.pathOf(base.file_hash), size: base.size_bytes, fileName: '', declaredType: '' }
  const { columns, dateOrders: found } = await totalsOf(viewer.userId, file, 'baseId')
  const orders = chosenOrders({ columns, found, asked })
  return { base, orders: { ...ordersWith(orders, decidedIn(storedOrders(base))), ...asked } }
}

async function saveOrders(ctx: Ctx, { base, orders }: Ordered): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    if (!(await store.setDateOrders(tx, base.id, base.file_hash, orders)))
      throw conflict('baseId', 'got other rows meanwhile: look at it and try again', 'changed')
    const { name, date_orders: before } = base
    await audit(tx, ctx, 'base.dates', `base ${base.id}`, { name, before, after: orders })
  })
}

async function renameBase(ctx: Ctx, baseId: number, name: string): Promise<void> {
  const { app, viewer } = ctx
  await app.db
    .transaction()
    .execute(async (tx) => {
      const base = await store.lockOwn(tx, viewer.userId, baseId)
      if (!base) throw new AppError('not_found')
      if (base.name.toLowerCase() !== name.toLowerCase() && (await store.nameTaken(tx, viewer.userId, name)))
        throw nameTaken()
      await store.rename(tx, baseId, name)
      await audit(tx, ctx, 'base.rename', `base ${baseId}`, { before: base.name, after: name })
    })
    .catch((error: unknown) => {
      throw isNameTaken(error) ? nameTaken() : error
    })
}

/** True when somebody took the name between the check and the update. */
function isNameTaken(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'base_name'
}
