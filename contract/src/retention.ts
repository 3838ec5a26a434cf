import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message } from './values.ts'

const Archiving = z.object({
  campaignId: Id,
  /** False: it is shown in lists again. */
  archived: z._default(z.boolean({ error: 'must be true or false' }), true),
})

/** What the owner of a campaign that is over does with it. */
export const retentionRoutes = {
  archiveCalls: json({ method: 'POST', path: '/api/obd/campaign/archive', input: Archiving, reply: Message }),
  archiveMessages: json({ method: 'POST', path: '/app/sms/campaign/archive', input: Archiving, reply: Message }),
}
