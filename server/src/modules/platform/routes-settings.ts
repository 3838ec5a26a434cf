import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { contactFileDays, dialerWaitMinutes, numberCaps, quotasOfPlatform } from './actions.ts'
import { saveSettings } from './actions-settings.ts'

export const settingHandlers: Handlers<'settings'> = {
  async read({ app }) {
    const { db } = app
    return {
      numberCaps: await numberCaps(db),
      dialerWaitMinutes: await dialerWaitMinutes(db),
      quotas: await quotasOfPlatform(db),
      contactFileDays: await contactFileDays(db),
    }
  },
  async save(ctx, input) {
    await saveSettings(ctx, input)
    return { message: messages.success }
  },
}
