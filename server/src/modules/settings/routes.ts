import { messages } from '@ghanti/contract/messages.ts'
import type { Db } from '../../db/db.ts'
import type { Handlers } from '../../http/types.ts'
import { overQuotas } from '../quotas/actions.ts'
import {
  contactFileDays,
  dialerWaitMinutes,
  exportDays,
  historyMonths,
  inboxDays,
  numberCaps,
  numbersOverCaps,
  operatorPrefixes,
  optOut,
  quotasOfPlatform,
  smsAddressHosts,
  smsHours,
  smsNumberCaps,
  smsPricePaisa,
  textApproval,
} from '../platform/actions.ts'
import { saveSettings } from './actions.ts'

export const settingHandlers: Handlers<'settings'> = {
  async read({ app }) {
    const { db } = app
    return {
      numberCaps: await numberCaps(db),
      dialerWaitMinutes: await dialerWaitMinutes(db),
      quotas: await quotasOfPlatform(db),
      contactFileDays: await contactFileDays(db),
      exportDays: await exportDays(db),
      historyMonths: await historyMonths(db),
      operatorPrefixes: await operatorPrefixes(db),
      textApproval: await textApproval(db),
      smsNumberCaps: await smsNumberCaps(db),
      smsHours: await smsHours(db),
      smsPricePaisa: await smsPricePaisa(db),
      optOut: await optOut(db),
      inboxDays: await inboxDays(db),
      smsAddressHosts: await smsAddressHosts(db),
      ...(await beyondNow(db)),
    }
  },
  async save(ctx, input) {
    await saveSettings(ctx, input)
    return { message: messages.success, ...(await beyondNow(ctx.app.db)) }
  },
}

async function beyondNow(db: Db) {
  return { overQuotas: await overQuotas(db), overCaps: await numbersOverCaps(db) }
}
