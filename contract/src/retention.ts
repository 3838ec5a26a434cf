import * as z from 'zod/mini'
import { file, json } from './route.ts'
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
  /** Files of what is older than the platform keeps it in the database, the newest first. */
  archives: json({
    method: 'GET',
    path: '/api/obd/archives',
    reply: z.array(
      z.object({
        archiveId: z.number(),
        kind: z.enum(['calls', 'messages']),
        /** When the first and the last of it were claimed, in Nepal. */
        from: z.string(),
        to: z.string(),
        rows: z.number(),
        bytes: z.number(),
        sha256: z.string(),
        madeAt: z.string(),
      }),
    ),
  }),
  /** CSV with every column of the database, as gzip. */
  archive: file({ path: '/api/obd/archives/:archiveId/archive.csv.gz', input: z.object({ archiveId: Id }) }),
  /** What was archived of one campaign. */
  archivedCalls: file({
    path: '/api/obd/campaign/archived/:campaignId/calls.csv',
    input: z.object({ campaignId: Id }),
  }),
  archivedMessages: file({
    path: '/app/sms/campaign/archived/:campaignId/messages.csv',
    input: z.object({ campaignId: Id }),
  }),
  /** For good, of a campaign that is over: numbers, columns, keys, recordings, texts. Money, times and sums stay. */
  deleteCalls: json({ method: 'POST', path: '/api/obd/campaign/delete', input: Deleting, reply: Message }),
  deleteMessages: json({ method: 'POST', path: '/app/sms/campaign/delete', input: Deleting, reply: Message }),
}
