import { viewsMax, type SavedView } from '@ghanti/contract/saved-views.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { listOf } from '../../viewable-lists.ts'
import { noSuchList, tooMany, viewQuery } from './rules.ts'
import * as store from './store.ts'

function requireList(viewer: Viewer, path: string) {
  const list = listOf(path, viewer.role)
  if (!list) throw badField('list', noSuchList)
  return list
}

async function requireFreeName(tx: Tx, userId: number, path: string, name: string, but?: number): Promise<void> {
  if (await store.nameTaken(tx, userId, path, name, but)) throw conflict('name', `'${name}' is taken`, 'taken')
}

export function viewsOf({ app, viewer }: Ctx, path: string): Promise<SavedView[]> {
  return store.list(app.db, viewer.userId, requireList(viewer, path).path)
}

type Wanted = { list: string; name: string; query: string; isDefault?: boolean | undefined }

/** Returns the view's id. Refuses a query that the list does not understand; if the list changes later, the console reports it. */
export async function saveView({ app, viewer }: Ctx, { list: path, name, query, isDefault }: Wanted): Promise<number> {
  const { userId } = viewer
  const kept = viewQuery(requireList(viewer, path), query)
  if ('fault' in kept) throw badField('query', kept.fault)
  return await app.db.transaction().execute(async (tx) => {
    await store.lock(tx, userId)
    if ((await store.count(tx, userId)) >= viewsMax) throw conflict('name', tooMany, 'quota')
    await requireFreeName(tx, userId, path, name)
    const viewId = await store.insert(tx, userId, { list: path, name, query: kept.query })
    if (isDefault) await store.setDefault(tx, userId, path, viewId, true)
    return viewId
  })
}

/** Changes one of the viewer's views, serialised with other changes of that account's views. */
function changeView(
  { app, viewer }: Ctx,
  viewId: number,
  change: (tx: Tx, view: { list: string }) => Promise<void>,
): Promise<void> {
  return app.db.transaction().execute(async (tx) => {
    await store.lock(tx, viewer.userId)
    const view = await store.find(tx, viewer.userId, viewId)
    if (!view) throw new AppError('not_found')
    await change(tx, view)
  })
}

export function renameView(ctx: Ctx, viewId: number, name: string): Promise<void> {
  return changeView(ctx, viewId, async (tx, { list }) => {
    await requireFreeName(tx, ctx.viewer.userId, list, name, viewId)
    await store.rename(tx, viewId, name)
  })
}

/** The default view opens when its list is opened without a query. */
export function setDefaultView(ctx: Ctx, viewId: number, isDefault: boolean): Promise<void> {
  return changeView(ctx, viewId, (tx, { list }) => store.setDefault(tx, ctx.viewer.userId, list, viewId, isDefault))
}

export async function deleteView({ app, viewer }: Ctx, viewId: number): Promise<void> {
  if (!(await store.remove(app.db, viewer.userId, viewId))) throw new AppError('not_found')
}
