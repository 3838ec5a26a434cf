import type { Tx } from '../../db/db.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { lockChild } from './actions-children.ts'
import { tooFewChannels, tooManyChannels } from './rules.ts'
import * as store from './store-account.ts'

/** By the parent, without asking for all that Update User asks for. */
export async function changeChannels(ctx: Ctx, userId: number, channels: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    await lockSelf(tx, viewer)
    const { username } = await lockChild(tx, viewer, userId)
    const before = await giveChannels(tx, viewer, userId, channels)
    await audit(tx, ctx, 'user.channels', `user ${userId}`, {
      username,
      before: { channels: before },
      after: { channels },
    })
  })
}

/** No account below the viewer is made or changed beside this one: their channels are counted together. */
export async function lockSelf(tx: Tx, viewer: Viewer): Promise<store.Account> {
  const self = await store.lock(tx, ownScope(viewer), viewer.userId)
  if (!self) throw new AppError('token_not_valid')
  return self
}

/** To an account that is locked, as its parent is: neither more than the parent has left nor fewer than those below have. Answers how many it had. */
export async function giveChannels(tx: Tx, viewer: Viewer, userId: number, channels: number): Promise<number | null> {
  await requireFree(tx, viewer, channels, userId)
  const used = await store.channelsGiven(tx, userId)
  if (channels < used) throw badField('channels', tooFewChannels(used))
  const before = await store.channelsOf(tx, userId)
  await store.setChannels(tx, userId, channels)
  return before
}

/** The viewer is locked and has so many left, what `except` has being free; super admins have no limit. */
export async function requireFree(tx: Tx, viewer: Viewer, channels: number, except: number | null): Promise<void> {
  if (viewer.role === 'superAdmin') return
  const own = await store.channelsOf(tx, viewer.userId)
  if (own === null) return
  const free = own - (await store.channelsGiven(tx, viewer.userId, except))
  if (channels > free)
    throw new AppError('channel_limit', [
      { field: 'channels', code: 'channel_limit', text: tooManyChannels(Math.max(0, free)) },
    ])
}
