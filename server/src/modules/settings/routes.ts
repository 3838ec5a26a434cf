import { messages } from '@ghanti/contract/messages.ts'
import type { Db } from '../../db/db.ts'
import type { Handlers } from '../../http/types.ts'
import { overQuotas } from '../quotas/actions.ts'
import { numbersOverCaps, settingOf } from '../platform/actions.ts'
import { saveSettings } from './actions.ts'

export const settingHandlers: Handlers<'settings'> = {
  async read({ app }) {
    const { db } = app
    return {
      numberCaps: await settingOf(db, 'numberCaps'),
      dialerWaitMinutes: await settingOf(db, 'dialerWaitMinutes'),
      firstPassword: await settingOf(db, 'firstPassword'),
      secondFactor: await settingOf(db, 'secondFactor'),
      proofMinutes: await settingOf(db, 'proofMinutes'),
      lostServer: await settingOf(db, 'lostServer'),
      quotas: await settingOf(db, 'quotas'),
      contactFileDays: await settingOf(db, 'contactFileDays'),
      exportDays: await settingOf(db, 'exportDays'),
      historyMonths: await settingOf(db, 'historyMonths'),
      operatorPrefixes: await settingOf(db, 'operatorPrefixes'),
      textApproval: await settingOf(db, 'textApproval'),
      smsNumberCaps: await settingOf(db, 'smsNumberCaps'),
      smsHours: await settingOf(db, 'smsHours'),
      smsPricePaisa: await settingOf(db, 'smsPricePaisa'),
      optOut: await settingOf(db, 'optOut'),
      inboxDays: await settingOf(db, 'inboxDays'),
      smsAddressHosts: await settingOf(db, 'smsAddressHosts'),
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
