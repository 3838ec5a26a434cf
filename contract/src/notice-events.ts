/** The part of notices and of waiting work that every screen knows. Their own screens load the rest from notices.ts. */
import * as z from 'zod/mini'

export const noticesPath = '/api/obd/notices'

/** The event 'notices' of `events`: unread notices, counted to 100, and the time of the newest. */
export const NoticesEvent = z.object({ unread: z.number(), newest: z.nullable(z.string()) })

/**
 * The event 'waiting' of `events`, for super admins: voice files, sender IDs, message texts and SMS campaigns with columns that wait for a
 * decision, and open alerts. Each is counted to 100.
 */
export const WaitingEvent = z.object({
  prompts: z.number(),
  alerts: z.number(),
  senders: z.number(),
  texts: z.number(),
  values: z.number(),
})
export type WaitingEvent = z.output<typeof WaitingEvent>
