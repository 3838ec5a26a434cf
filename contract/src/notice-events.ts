/** On every screen. The notices' own screens load the rest from notices.ts. */
import * as z from 'zod/mini'

export const noticesPath = '/api/obd/notices'

/** Unread ones, counted to 100, and the time of the newest. */
export const NoticesEvent = z.object({ unread: z.number(), newest: z.nullable(z.string()) })

/** For super admins: waiting decisions (voice files, sender IDs, texts, SMS campaigns with columns) and open alerts, each counted to 100. */
export const WaitingEvent = z.object({
  prompts: z.number(),
  alerts: z.number(),
  senders: z.number(),
  texts: z.number(),
  values: z.number(),
})
export type WaitingEvent = z.output<typeof WaitingEvent>
