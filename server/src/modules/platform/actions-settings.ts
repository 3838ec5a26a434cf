import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { changeSetting, numberCaps } from './actions.ts'
import type { Setting } from './rules.ts'

type Wanted = { numberCaps?: Setting<'numberCaps'> | undefined }

/** The engine takes them up with its next tick. Raised caps let numbers go on that were to wait for tomorrow; lowered ones stop further calls. */
export async function saveSettings(ctx: Ctx, wanted: Wanted): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    if (!wanted.numberCaps) return
    const before = wordsOf(await numberCaps(tx))
    const after = wordsOf(wanted.numberCaps)
    if (before === after) return
    await changeSetting(tx, 'numberCaps', wanted.numberCaps, viewer.userId)
    await audit(tx, ctx, 'setting.change', 'platform', { name: 'calls a number and day', before, after })
  })
}

/** For the audit log: '3 answered, 10 in all; 20 on the platform'. */
function wordsOf({ answered, attempted, platform }: Setting<'numberCaps'>): string {
  return `${answered} answered, ${attempted} in all; ${platform} on the platform`
}
