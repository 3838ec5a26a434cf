import { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Handlers } from '../../http/types.ts'
import { settingOf } from './actions.ts'
import { removeException, saveException, saveHours } from './actions-hours.ts'
import { hoursAt } from './rules-hours.ts'
import * as store from './store-hours.ts'

function nowOf(hours: CallingHours, now: Date): { open: boolean; opensAt: string | null } {
  const found = hoursAt(hours, now)
  return { open: found.open, opensAt: !found.open && found.opensAt ? nepalTimeOf(found.opensAt) : null }
}

export const callingHoursHandlers: Handlers<'callingHours'> = {
  async platform({ app }) {
    const hours = await settingOf(app.db, 'callingHours')
    return { hours, now: nowOf(hours, app.clock.now()), dialDays: await settingOf(app.db, 'dialDays') }
  },
  async save(ctx, input) {
    await saveHours(ctx, input)
    return { message: messages.success }
  },
  async exceptions({ app }, _input, query) {
    const now = app.clock.now()
    const page = await store.exceptions(app.db, query)
    const rows = page.rows.map(({ userId, username, company, reason, changedBy, ...row }) => {
      const hours = CallingHours.parse(row.hours)
      const changedAt = nepalTimeOf(row.changedAt)
      return { userId, username, company, hours, now: nowOf(hours, now), reason, changedBy, changedAt }
    })
    return { ...page, rows }
  },
  async saveException(ctx, input) {
    await saveException(ctx, input)
    return { message: messages.success }
  },
  async removeException(ctx, { userId }) {
    await removeException(ctx, userId)
    return { message: messages.success }
  },
}
