import * as z from 'zod/mini'
import { json } from './route.ts'
import { Id, Message, Text } from './values.ts'

const Archiving = z.object({
  campaignId: Id,
  /** False: it is shown in lists again. */
  archived: z._default(z.boolean({ error: 'must be true or false' }), true),
})

const Deleting = z.object({
  campaignId: Id,
  /** As it is written: whoever deletes knows which one. */
  campaignName: Text(100),
})

/** What the owner of a campaign that is over does with it. */
export const retentionRoutes = {
  archiveCalls: json({ method: 'POST', path: '/api/obd/campaign/archive', input: Archiving, reply: Message }),
  archiveMessages: json({ method: 'POST', path: '/app/sms/campaign/archive', input: Archiving, reply: Message }),
  /** For good, of a campaign that is over: numbers, columns, keys, recordings, texts. Money, times and sums stay. */
  deleteCalls: json({ method: 'POST', path: '/api/obd/campaign/delete', input: Deleting, reply: Message }),
  deleteMessages: json({ method: 'POST', path: '/app/sms/campaign/delete', input: Deleting, reply: Message }),
}
