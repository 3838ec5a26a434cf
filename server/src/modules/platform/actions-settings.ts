import type { Tx } from '../../db/db.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { changeSetting, contactFileDays, dialerWaitMinutes, numberCaps, quotasOfPlatform } from './actions.ts'
import type { Setting } from './rules.ts'

type Wanted = {
  numberCaps?: Setting<'numberCaps'> | undefined
  dialerWaitMinutes?: number | undefined
  quotas?: Setting<'quotas'> | undefined
  contactFileDays?: number | undefined
}

/** The engine takes them up with its next tick. Raised caps let numbers go on that were to wait for tomorrow; lowered ones stop further calls. */
export async function saveSettings(ctx: Ctx, wanted: Wanted): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    if (wanted.numberCaps) await saveCaps(tx, ctx, wanted.numberCaps)
    if (wanted.dialerWaitMinutes !== undefined) await saveWait(tx, ctx, wanted.dialerWaitMinutes)
    if (wanted.quotas) await saveQuotas(tx, ctx, wanted.quotas)
    if (wanted.contactFileDays !== undefined) await saveFileDays(tx, ctx, wanted.contactFileDays)
  })
}

async function saveCaps(tx: Tx, ctx: Ctx, caps: Setting<'numberCaps'>): Promise<void> {
  const before = wordsOf(await numberCaps(tx))
  const after = wordsOf(caps)
  if (before === after) return
  await changeSetting(tx, 'numberCaps', caps, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: 'calls a number and day', before, after })
}

async function saveWait(tx: Tx, ctx: Ctx, after: number): Promise<void> {
  const before = await dialerWaitMinutes(tx)
  if (before === after) return
  await changeSetting(tx, 'dialerWaitMinutes', after, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: 'minutes to wait for a dialer', before, after })
}

async function saveQuotas(tx: Tx, ctx: Ctx, quotas: Setting<'quotas'>): Promise<void> {
  const before = quotaWords(await quotasOfPlatform(tx))
  const after = quotaWords(quotas)
  if (before === after) return
  await changeSetting(tx, 'quotas', quotas, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: 'quotas of an account', before, after })
}

async function saveFileDays(tx: Tx, ctx: Ctx, after: number): Promise<void> {
  const before = await contactFileDays(tx)
  if (before === after) return
  await changeSetting(tx, 'contactFileDays', after, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: 'days that unused contact files stay', before, after })
}

function quotaWords({ megabytes, rows, campaigns, prompts }: Setting<'quotas'>): string {
  return `${megabytes} MB, ${rows} rows, ${campaigns} unfinished campaigns, ${prompts} voice files`
}

/** For the audit log: '3 answered, 10 in all; 20 on the platform'. */
function wordsOf({ answered, attempted, platform }: Setting<'numberCaps'>): string {
  return `${answered} answered, ${attempted} in all; ${platform} on the platform`
}
