import type { SmsEditInput } from '@ghanti/contract/sms-compose.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { editedTimes, rename } from '../campaigns/actions-edit.ts'
import { actAs } from '../campaigns/actions-state.ts'
import { Problems } from '../campaigns/actions.ts'
import { begunProblem } from '../campaigns/rules.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { requireSender } from '../sms-senders/actions.ts'
import { requireApprovedText } from '../sms-texts/actions.ts'
import { nameTaken, sendUntil } from './actions-compose.ts'
import { followsCalls } from './rules.ts'
import * as store from './store-edit.ts'

/**
 * Changes a campaign of the viewer's that has sent nothing, after the checks that compose makes: its sender ID and its text are still
 * approved, its time is to come. Contacts, text and prices stay as they were composed. The lock on its row makes the engine wait, which then
 * starts it only in its new time.
 */
export async function editCampaign(ctx: Ctx, input: SmsEditInput): Promise<void> {
  const { app, viewer } = ctx
  const { userId } = viewer
  const { campaignId } = input
  const now = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    await actAs(tx, userId)
    const before = await store.lockForEdit(tx, ownScope(viewer), campaignId)
    if (!before) throw new AppError('not_found')
    if (before.callCampaignId !== null) throw conflict('campaignId', followsCalls, 'status')
    const begun = begunProblem(before.status, before.isOver, 'send')
    if (begun !== null) throw conflict('campaignId', begun, 'status')
    const problems = new Problems()
    await problems.of(() => requireSender(tx, userId, before.sender))
    await problems.of(() => smsPriceChain(tx, userId))
    await problems.of(() => requireApprovedText(tx, userId, before.text))
    const lastDayOf = (start: Date) => sendUntil(tx, start)
    const times = await problems.of(() => editedTimes(input, before, { now, doing: 'send', lastDayOf }))
    const name = input.campaignName ?? before.name
    await problems.of(async () => {
      if (!(await rename(tx, 'sms_campaign_name', { ownerId: userId, campaignId, name }))) throw nameTaken()
    })
    problems.refuseIfAny()
    if (!times) throw new Error('an edit passed its checks without its times')
    await store.edit(tx, campaignId, { ...times, name })
    await audit(tx, ctx, 'sms.edit', `sms campaign ${campaignId}`, {
      campaignName: name,
      scheduleTime: nepalTimeOf(times.startAt),
      ...(times.notAfter && { notAfter: nepalTimeOf(times.endAt) }),
      before: nepalTimeOf(before.startAt),
    })
  })
}
