/** What every screen knows of notices and of waiting work; the rest of notices is in notices.ts, which only their own screens load. */
import * as z from 'zod/mini'

export const noticesPath = '/api/obd/notices'

/** What `events` sends as event 'notices': unread ones, counted to 100, and when the newest of all came. */
export const NoticesEvent = z.object({ unread: z.number(), newest: z.nullable(z.string()) })

/**
 * What `events` sends to super admins as event 'waiting': what they are to decide on, voice files, sender IDs, message texts and SMS campaigns with
 * columns that wait for an approval; and open alerts; each counted to 100.
 */
export const WaitingEvent = z.object({
  prompts: z.number(),
  alerts: z.number(),
  senders: z.number(),
  texts: z.number(),
  values: z.number(),
})
export type WaitingEvent = z.output<typeof WaitingEvent>
