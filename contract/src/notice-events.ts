/** What every screen knows of notices and waiting work. Their own screens load the rest from notices.ts. */
import * as z from 'zod/mini'

export const noticesPath = '/api/obd/notices'

/** The event 'notices' of `events`: unread notices, counted to 100, and the time of the newest. */
export const NoticesEvent = z.object({ unread: z.number(), newest: z.nullable(z.string()) })

/**
 * The event 'waiting' of `events`, for super admins: decisions that wait (voice files, sender IDs, message texts, SMS campaigns with columns) and
 * open alerts, each counted to 100.
 */
export const WaitingEvent = z.object({
  prompts: z.number(),
  alerts: z.number(),
  senders: z.number(),
  texts: z.number(),
  values: z.number(),
})
export type WaitingEvent = z.output<typeof WaitingEvent>
