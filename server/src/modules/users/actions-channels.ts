import type { Tx } from '../../db/db.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope, scopeOf, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import { lockBelow } from './actions-children.ts'
import { channelsChanged, tooFewChannels, tooManyChannels } from './rules.ts'
import * as store from './store-account.ts'

export async function changeChannels(ctx: Ctx, userId: number, channels: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const giver = await lockGiver(tx, viewer, userId)
    const account = await lockBelow(tx, viewer, userId)
    const { username } = account
    const before = await giveChannels(tx, giver, userId, channels)
    await audit(tx, ctx, 'user.channels', `user ${userId}`, {
      username,
      before: { channels: before },
      after: { channels },
    })
    await notifyAccountBetween(tx, viewer, account, channelsChanged(before ?? 0, channels))
  })
}

/** Serialises changes of the accounts below the viewer, whose channels are counted together. */
export async function lockSelf(tx: Tx, viewer: Viewer): Promise<store.Account> {
  const self = await store.lock(tx, ownScope(viewer), viewer.userId)
  if (!self) throw new AppError('token_not_valid')
  return self
}

/**
 * Locks the account that gives plans, channels and type: the parent, in whose stead a super admin may act. Lock it before the account
 * itself.
 */
export async function lockGiver(tx: Tx, viewer: Viewer, userId: number): Promise<store.Account> {
  const account = viewer.role === 'superAdmin' ? await store.find(tx, scopeOf(viewer), userId) : undefined
  if (account?.parentRole !== 'reseller' || account.parentId === null) return lockSelf(tx, viewer)
  const parent = await store.lock(tx, scopeOf(viewer), account.parentId)
  if (!parent) throw new AppError('not_found')
  return parent
}

type Giver = Pick<store.Account, 'id' | 'role'>

/**
 * The account and its parent are locked. Neither more than the parent has left nor fewer than the children have. Returns how many it had.
 */
export async function giveChannels(tx: Tx, giver: Giver, userId: number, channels: number): Promise<number | null> {
  await requireFree(tx, giver, channels, userId)
  const used = await store.channelsGiven(tx, userId)
  if (channels < used) throw badField('channels', tooFewChannels(used))
  const before = await store.channelsOf(tx, userId)
  await store.setChannels(tx, userId, channels)
  return before
}

/** The giver is locked and has this many left, not counting what `except` has. Super admins have no limit. */
export async function requireFree(tx: Tx, giver: Giver, channels: number, except: number | null): Promise<void> {
  if (giver.role === 'superAdmin') return
  const own = await store.channelsOf(tx, giver.id)
  if (own === null) return
  const free = own - (await store.channelsGiven(tx, giver.id, except))
  if (channels > free)
    throw new AppError('channel_limit', [
      { field: 'channels', code: 'channel_limit', text: tooManyChannels(Math.max(0, free)) },
    ])
}
