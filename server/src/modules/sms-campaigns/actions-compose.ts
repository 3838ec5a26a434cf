import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { SmsCampaignInput } from '@ghanti/contract/sms-compose.ts'
import type { Tx } from '../../db/db.ts'
import { badField, conflict, type AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { requireOwner } from '../campaigns/actions-state.ts'
import { Problems } from '../campaigns/actions.ts'
import { endOf, needsOf, startOf } from '../campaigns/rules.ts'
import { pasteContacts, requireBase } from '../contacts/actions.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { settingOf } from '../platform/actions.ts'
import { requireRoom } from '../quotas/actions.ts'
import { requireSender } from '../sms-senders/actions.ts'
import { requireApprovedText } from '../sms-texts/actions.ts'
import { columnProblems } from './rules.ts'
import * as store from './store-compose.ts'

const dayMs = 24 * 3600_000
/** The template whose files need no column: the text itself says which columns it needs. */
const anyColumns = 0

/** Either throws naming every wrong field, or inserts the complete campaign as processing. A zero balance may compose. */
export async function createCampaign(ctx: Ctx, input: SmsCampaignInput): Promise<number> {
  const { app, viewer } = ctx
  const now = app.clock.now()
  const baseId = await baseOf(ctx, input)
  return app.db.transaction().execute(async (tx) => {
    await requireOwner(tx, viewer.userId)
    const problems = new Problems()
    const start = startOf(input.scheduleTime, now)
    if (typeof start === 'string') problems.add([{ field: 'scheduleTime', code: 'invalid', text: start }])
    const lastDay = typeof start === 'string' ? null : await sendUntil(tx, start)
    const end = lastDay && typeof start !== 'string' ? endOf(input.notAfter, start, lastDay, 'send') : null
    if (typeof end === 'string') problems.add([{ field: 'notAfter', code: 'invalid', text: end }])
    const sender = await problems.of(() => requireSender(tx, viewer.userId, input.cli))
    const chain = await problems.of(() => smsPriceChain(tx, viewer.userId))
    const base = await problems.of(() => requireBase(tx, ownScope(viewer), baseId, anyColumns))
    if (base) problems.add(columnProblems(input, base.columns))
    await problems.of(() => requireApprovedText(tx, viewer.userId, input.smsText))
    await problems.of(() => requireFreeName(tx, viewer.userId, input.campaignName))
    await problems.of(() => requireRoom(tx, viewer.userId, needsOf(base)))
    problems.refuseIfAny()
    if (!sender || !chain || typeof start === 'string' || end === null || typeof end === 'string')
      throw new Error('an SMS campaign passed its checks without its required input')
    const { campaignName, templateId, cli, smsText } = input
    const campaignId = await store.insertCampaign(tx, {
      ownerId: viewer.userId,
      name: campaignName,
      templateId,
      text: smsText,
      baseId,
      sender,
      startAt: start,
      sendUntil: end,
      notAfter: input.notAfter !== undefined,
      chain,
      composed: { campaignName, templateId, cli, baseId, smsText },
    })
    if (campaignId === undefined) throw nameTaken()
    const said = { campaignName, cli: sender.name, baseId }
    await audit(tx, ctx, 'sms.compose', `sms campaign ${campaignId}`, said)
    return campaignId
  })
}

/** Rows not sent by then expire. */
export async function sendUntil(tx: Tx, start: Date): Promise<Date> {
  return new Date(start.getTime() + (await settingOf(tx, 'dialDays')) * dayMs)
}

async function baseOf(ctx: Ctx, { baseId, contactList }: SmsCampaignInput): Promise<number> {
  if (baseId !== undefined && contactList !== undefined)
    throw badField('contactList', 'cannot be sent together with baseId: name one of them')
  if (baseId !== undefined) return baseId
  if (contactList === undefined) throw badField('baseId', 'is required', 'required')
  return await withWorkFolder(ctx.app, 'uploads', async (folder) => {
    const file = path.join(folder, 'contactList')
    await fs.writeFile(file, contactList, { mode: 0o600 })
    const size = Buffer.byteLength(contactList)
    const pasted = { path: file, size, fileName: '', declaredType: 'text/plain' }
    const stored = await ctx.app.workLimits.run(ctx.app.db, 'contactFiles', ctx.viewer.userId, () =>
      pasteContacts(ctx, pasted),
    )
    return stored.baseId
  })
}

async function requireFreeName(tx: Tx, ownerId: number, name: string): Promise<void> {
  if (await store.nameTaken(tx, ownerId, name)) throw nameTaken()
}

export function nameTaken(): AppError {
  return conflict('campaignName', 'is the name of another of your SMS campaigns', 'taken')
}
