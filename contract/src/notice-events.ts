/** What every screen knows of notices; the rest is in notices.ts, which only their own screens load. */
import * as z from 'zod/mini'

export const noticesPath = '/api/obd/notices'

/** What `events` sends as event 'notices': unread ones, counted to 100, and when the newest of all came. */
export const NoticesEvent = z.object({ unread: z.number(), newest: z.nullable(z.string()) })
