import { rupeesOf } from '@ghanti/contract/money.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { personOf } from '@ghanti/contract/persons.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { balanceOf } from '../credits/actions.ts'
import { mailStateOf } from '../mail/actions.ts'
import { keptDays } from '../recordings/actions.ts'
import { deleteUser, readPassword, resetPassword } from './actions-children.ts'
import { changeChannels } from './actions-channels.ts'
import { disableUser, reachOfDisabling } from './actions-disable.ts'
import { registerUser, updateUser } from './actions-register.ts'
import { isChildOf, userTypeOf } from './rules.ts'
import { trendOf } from './rules-trend.ts'
import { listUsers, superAdminsPage, usersCsv } from './actions-list.ts'
import * as store from './store.ts'
import * as listStore from './store-list.ts'
import { begunCampaigns } from './store-trend.ts'

async function visibleProfile({ app, viewer }: Ctx, userId: number): Promise<store.Profile> {
  const profile = await store.profile(app.db, scopeOf(viewer), userId)
  if (!profile) throw new AppError('not_found')
  return profile
}

/** Only users make calls. */
function daysOfRecordings({ role, recordingDays }: Pick<store.Profile, 'role' | 'recordingDays'>, most: number) {
  if (role !== 'user') return { recordingDays: null, recordingDaysMax: null }
  return { recordingDays: keptDays(recordingDays, most), recordingDaysMax: most }
}

export const userHandlers: Handlers<'users'> = {
  async list(ctx, { userId, ...filter }, query) {
    return listUsers(ctx, userId, filter, query)
  },
  async listCsv(ctx, { userId, search, columns, ...filter }) {
    return usersCsv(ctx, userId, { search, columns, filter })
  },
  async register(ctx, input) {
    return { message: messages.userCreated, userId: await registerUser(ctx, input) }
  },
  async registerWithBrand(ctx, input, files) {
    return { message: messages.userCreated, userId: await registerUser(ctx, input, files) }
  },
  async update(ctx, input, files) {
    await updateUser(ctx, input, files)
    return { message: messages.success }
  },
  async delete(ctx, { userId }) {
    await deleteUser(ctx, userId)
    return { message: messages.success }
  },
  async disable(ctx, { userId, disabled = true, reason }) {
    await disableUser(ctx, { userId, disabled, reason })
    return { message: messages.success }
  },
  async disabling(ctx, { userId }) {
    return reachOfDisabling(ctx, userId)
  },
  async choices({ app, viewer }, asked) {
    return listStore.choices(app.db, scopeOf(viewer), asked)
  },
  async superAdmins({ app }, { state }, query) {
    return superAdminsPage(app.db, state, query)
  },
  async readPassword(ctx, { userId }) {
    return readPassword(ctx, userId)
  },
  async resetPassword(ctx, { userId, password }) {
    await resetPassword(ctx, userId, password)
    return { message: messages.passwordReset }
  },
  async channels({ app, viewer }, { userId }) {
    const channels = await store.channels(app.db, scopeOf(viewer), userId)
    if (!channels) throw new AppError('not_found')
    return channels
  },
  async changeChannels(ctx, { userId, channels }) {
    await changeChannels(ctx, userId, channels)
    return { message: messages.success }
  },

  async profile(ctx, { userId }) {
    const p = await visibleProfile(ctx, userId)
    return {
      userId: p.id,
      ...personOf(p),
      username: p.username,
      mail: mailStateOf({ emailid: p.emailid, confirmed: p.mailConfirmed, waits: p.mailWaits }),
      userType: p.role === 'superAdmin' ? null : userTypeOf(p.role),
      parentId: p.parentId,
      parentUser: p.parentUser,
      isChild: isChildOf(ctx.viewer, p),
      usercli: p.clis,
      planId: p.planId,
      planName: p.planName,
      credits: p.role === 'superAdmin' ? null : rupeesOf((await balanceOf(ctx.app.db, p.id)).paisa),
      channels: p.channels,
      accountType: accountTypes.indexOf(p.accountType),
      expiryDate: p.expiresAt && nepalTimeOf(p.expiresAt),
      domain: p.domain,
      ...daysOfRecordings(p, ctx.app.config.recordingDays),
    }
  },

  /** The cards sum over all accounts below the one asked about; a super admin's are the platform's. */
  async dashboard(ctx, { userId }) {
    const { app } = ctx
    const subject = await visibleProfile(ctx, userId)
    const root = subject.role === 'superAdmin' ? null : subject.id
    const now = app.clock.now()
    const [totals, running, balance, begun] = await Promise.all([
      store.totals(app.db, root),
      store.runningByUser(app.db, root),
      balanceOf(app.db, subject.id),
      begunCampaigns(app.db, root, now),
    ])
    return {
      dbHeader: {
        totalVoiceCampaigns: totals.campaigns,
        totalCalls: totals.attempts,
        connectedCalls: totals.answered,
        voiceCreditsAvailable: root === null ? null : rupeesOf(balance.paisa),
        resellers: totals.resellers,
        endUsers: totals.endUsers,
      },
      dbUserWiseCampaigns: running,
      dbTrend: trendOf(begun, now),
    }
  },
}
