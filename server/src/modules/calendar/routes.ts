import type { Handlers } from '../../http/types.ts'
import { calendarOf } from './actions.ts'

export const calendarHandlers: Handlers<'calendar'> = {
  range: (ctx, asked) => calendarOf(ctx, asked),
}
