import { messages } from '@ghanti/contract/messages.ts'
import { personFields, personOf } from '@ghanti/contract/persons.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import { channelsDefault, type NewUser, type UserUpdate } from '@ghanti/contract/users.ts'
import type { Tx } from '../../db/db.ts'
import type { AccountType } from '../../db/tables.ts'
import { isMailAddress } from '../../drivers/mail/driver.ts'
import { AppError, badField } from '../../errors.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { requireKeyScope } from '../../policy-keys.ts'
import { audit } from '../audit/actions.ts'
import { endSessions } from '../auth/actions.ts'
import { hashPassword, requireStrongBelow } from '../auth/actions-passwords.ts'
import { readLogo, saveBrand, type Logo } from '../branding/actions.ts'
import { giveFirstCredits } from '../credits/actions-recharge.ts'
import { withFiles, type FilesTx } from '../files/actions.ts'
import { giveFirstClis } from '../lines/actions-holders.ts'
import { askToConfirm } from '../mail/actions.ts'
import { notifyAccountBetween } from '../notices/actions.ts'
import { requireGivable } from '../plans/actions.ts'
import { changeDays } from '../recordings/actions.ts'
import { giveChannels, lockGiver, lockSelf, requireFree } from './actions-channels.ts'
import { lockBelow } from './actions-children.ts'
import { confirmedAddressOf, tellOfSecurity } from '../security/actions.ts'
import { createAccount } from './actions-create.ts'
import { changesInWords, expiryOf, typeHasCampaigns, typeHasChildren } from './rules.ts'
import * as store from './store-account.ts'

type BrandFiles = { logo?: StagedFile | undefined }

/**
 * Registers below the viewer, whatever `parent` says, with a plan that the viewer may give and out of the viewer's channels, credits and
 * caller IDs: all of it, or no account.
 */
export async function registerUser(
  ctx: Ctx,
  input: NewUser & { domain?: string | undefined },
  { logo }: BrandFiles = {},
): Promise<number> {
  const { app, viewer } = ctx
  const { password, expiryDate, planId, channels = channelsDefault, username, domain, userType: role } = input
  const { credits: paisa, clis } = input
  if (paisa !== undefined) requireKeyScope(viewer.key, 'credits:write')
  if (clis !== undefined && clis.length > 0) requireKeyScope(viewer.key, null) // lines are given by people
  const expiresAt = expiryDate === undefined ? null : expiry(expiryDate, null, app.clock.now())
  if (password === undefined) requireMailable(app, input)
  else await requireStrongBelow(app.db, viewer.userId, password, input)
  const read = logo && (await readLogo(logo))
  const passwordHash = password === undefined ? null : await hashPassword(password, viewer.userId)
  return withFiles(app, async (tx) => {
    const parent = await lockSelf(tx, viewer)
    const accountType = accountTypeFor(viewer, parent, input.accountType)
    await requireFree(tx, parent, channels, null)
    await requireGivable(tx, viewer, planId, null)
    const userId = await createAccount(tx, {
      ...personOf(input),
      username,
      accountType,
      role,
      parentId: viewer.userId,
      passwordHash,
      isPasswordGiven: password !== undefined,
      planId,
      channels,
      expiresAt,
    })
    await askToConfirm(tx, { userId, causedBy: viewer.userId })
    await audit(tx, ctx, 'user.create', `user ${userId}`, { username, role, accountType, planId, channels, expiresAt })
    await brand(tx, ctx, userId, { company: input.company, domain, logo: read })
    await giveFirstClis(tx, ctx, userId, clis)
    // Last, so that the payer's account, from which calls are paid too, is locked for the shortest time.
    if (paisa !== undefined) await giveFirstCredits(tx, ctx, userId, paisa)
    return userId
  })
}

/** An invitation is the mail that confirms the address: whoever opens its link chooses the password. */
function requireMailable({ mail }: Ctx['app'], { emailid }: NewUser): void {
  if (!mail) throw badField('invite', 'needs mail, and this server sends none: choose a password')
  if (!isMailAddress(emailid)) throw badField('emailid', 'is not an address to which an invitation can be mailed')
}

/**
 * By the parent or a super admin, within what the parent may give. Fields left out stay. Composed campaigns keep their prices
 * (docs/design.md#who-pays-whom).
 */
export async function updateUser(ctx: Ctx, input: UserUpdate, { logo }: BrandFiles = {}): Promise<void> {
  const { app, viewer } = ctx
  const { userId, planId, channels, userType: role } = input
  const read = logo && (await readLogo(logo))
  await withFiles(app, async (tx) => {
    const giver = await lockGiver(tx, viewer, userId)
    const account = await lockBelow(tx, viewer, userId)
    if (role !== account.role) await requireFreeOfType(tx, userId)
    const accountType =
      accountTypes[input.accountType] === account.accountType
        ? account.accountType
        : accountTypeFor(viewer, giver, input.accountType)
    const daysBefore = await newDays(tx, app, input)
    const channelsBefore = channels === undefined ? undefined : await giveChannels(tx, giver, userId, channels)
    if (planId !== undefined && planId !== account.planId) {
      const name = giver.id === viewer.userId ? undefined : giver.username
      await requireGivable(tx, { userId: giver.id, role: giver.role, name }, planId, { userId, role: account.role })
    }
    const expiresAt = expiry(input.expiryDate, account.expiresAt, app.clock.now())
    const person = personOf(input)
    const domain = newDomain(input)
    requireByKey(viewer, {
      address: person.emailid !== account.emailid,
      brand: domain !== undefined || !!read,
      days: daysBefore !== undefined,
    })
    const changed = { role, planId: planId ?? account.planId, accountType, expiresAt }
    const addressBefore = await confirmedAddressOf(tx, userId)
    await store.update(tx, userId, {
      ...person,
      role,
      account_type: accountType,
      plan_id: changed.planId,
      expires_at: expiresAt,
    })
    if (person.emailid !== account.emailid) {
      await askToConfirm(tx, { userId, causedBy: viewer.userId })
      await tellOfSecurity(app, tx, { kind: 'emailChanged', userId, from: null, to: addressBefore })
    }
    if (role !== account.role) await endSessions(tx, userId) // the console shows other screens for another role
    const { username, planId: plan, expiresAt: expires, accountType: type } = account
    const before = { role: account.role, planId: plan, accountType: type, expiresAt: expires }
    // Records which fields, not their values: the owner learns who replaced the address.
    const replaced = Object.fromEntries(
      personFields.flatMap((field) => (person[field] === account[field] ? [] : [[field, true]])),
    )
    const days = daysBefore === undefined ? {} : { recordingDays: input.recordingDays }
    const daysThen = daysBefore === undefined ? {} : { recordingDays: daysBefore }
    await audit(tx, ctx, 'user.update', `user ${userId}`, {
      username,
      channels,
      before: { ...before, ...daysThen },
      after: { ...changed, ...days },
      replaced,
    })
    await brand(tx, ctx, userId, { domain, logo: read })
    const what = changesInWords({
      'personal details': Object.keys(replaced).length > 0,
      'user type': role !== account.role,
      'account type': accountType !== account.accountType,
      'voice plan': changed.planId !== account.planId,
      channels: channelsBefore !== undefined && channelsBefore !== channels,
      'expiry date': expiresAt?.getTime() !== account.expiresAt?.getTime(),
      'days that recordings are kept': daysBefore !== undefined,
      domain: domain !== undefined,
      logo: read !== undefined,
    })
    if (what) await notifyAccountBetween(tx, viewer, account, what)
  })
}

/** What a key changes of an account. Not the address, to which links for a new password go, nor domain and logo; and fewer days delete recordings. */
function requireByKey(viewer: Viewer, changes: { address: boolean; brand: boolean; days: boolean }): void {
  if (changes.address || changes.brand || changes.days) requireKeyScope(viewer.key, null)
}

/** The previous value; undefined when it does not change. */
async function newDays(
  tx: Tx,
  app: Ctx['app'],
  { userId, userType, recordingDays }: UserUpdate,
): Promise<number | undefined> {
  if (recordingDays === undefined) return undefined
  if (userType !== 'user') throw badField('recordingDays', 'applies to users only: no one else makes calls')
  const before = await changeDays(tx, app, userId, recordingDays)
  return before === recordingDays ? undefined : before
}

/** Undefined leaves it unchanged. */
function newDomain({ domain, removeDomain }: UserUpdate): string | null | undefined {
  if (removeDomain === undefined || String(removeDomain) === 'false') return domain
  if (domain !== undefined) throw badField('removeDomain', 'cannot be said together with a new domain')
  return null
}

/** Null: never. */
function expiry(text: string, kept: Date | null, now: Date): Date | null {
  if (text === 'never') return null
  const same = sameDay(text, kept)
  if (same) return same
  const found = expiryOf(text, now)
  if ('wrong' in found) throw badField('expiryDate', found.wrong)
  return found.at
}

/** An expired account may be changed without renewing it. */
function sameDay(text: string, expiresAt: Date | null): Date | null {
  const found = expiryOf(text, new Date(0))
  return 'at' in found && found.at.getTime() === expiresAt?.getTime() ? expiresAt : null
}

/** A super admin chooses either type; a reseller gives its own (specification 2 §5), also when a super admin acts in its stead. */
function accountTypeFor(viewer: Viewer, giver: store.Account, code: number): AccountType {
  const type = accountTypes[code]
  const own = giver.id === viewer.userId ? 'your own account' : `'${giver.username}'`
  if (!type || (giver.role !== 'superAdmin' && type !== giver.accountType))
    throw badField('accountType', `must be that of ${own}`)
  return type
}

/** Campaigns belong to users, accounts to resellers (docs/api.md#accounts). */
async function requireFreeOfType(tx: Tx, userId: number): Promise<void> {
  const children = await store.childrenOf(tx, userId)
  const fault =
    children.total > 0
      ? typeHasChildren(children.names, children.total)
      : (await store.hasCampaigns(tx, userId))
        ? typeHasCampaigns
        : null
  if (fault !== null)
    throw new AppError('conflict', [{ field: 'userType', code: 'in_use', text: fault }], {
      message: messages.userUpdateFailed,
    })
}

type Brand = { company?: string; domain?: string | null | undefined; logo?: Logo | undefined }

async function brand(tx: FilesTx, ctx: Ctx, userId: number, { company, domain, logo }: Brand): Promise<void> {
  if (domain === undefined && logo === undefined) return
  await saveBrand(tx, ctx, { userId, company, domain, logo })
}
