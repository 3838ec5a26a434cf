import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { dialerWaitMinutes, numberCaps } from './actions.ts'
import { saveSettings } from './actions-settings.ts'

export const settingHandlers: Handlers<'settings'> = {
  async read({ app }) {
    return { numberCaps: await numberCaps(app.db), dialerWaitMinutes: await dialerWaitMinutes(app.db) }
  },
  async save(ctx, input) {
    await saveSettings(ctx, input)
    return { message: messages.success }
  },
}
