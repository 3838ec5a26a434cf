import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Id, Message, Text } from './values.ts'

const Archiving = z.object({
  campaignId: Id,
  /** False brings it back into lists. */
  archived: z._default(z.boolean({ error: 'must be true or false' }), true),
})

const Deleting = z.object({
  campaignId: Id,
  campaignName: Text(100),
})

/** For owners of finished campaigns. */
export const retentionRoutes = {
  archiveCalls: json({ method: 'POST', path: '/api/obd/campaign/archive', input: Archiving, reply: Message }),
  archiveMessages: json({ method: 'POST', path: '/app/sms/campaign/archive', input: Archiving, reply: Message }),
  /** Files of calls and messages that are no longer in the database, newest first. */
  archives: json({
    method: 'GET',
    path: '/api/obd/archives',
    reply: z.array(
      z.object({
        archiveId: z.number(),
        kind: z.enum(['calls', 'messages']),
        /** Claim times of its first and last row, in Nepal time. */
        from: z.string(),
        to: z.string(),
        rows: z.number(),
        bytes: z.number(),
        sha256: z.string(),
        madeAt: z.string(),
      }),
    ),
  }),
  /** A gzipped CSV with every column of the database. */
  archive: file({ path: '/api/obd/archives/:archiveId/archive.csv.gz', input: z.object({ archiveId: Id }) }),
  /** Irrevocably deletes numbers, columns, keys, recordings and texts of a finished campaign. Money, times and sums stay. */
  deleteCalls: json({ method: 'POST', path: '/api/obd/campaign/delete', input: Deleting, reply: Message }),
  deleteMessages: json({ method: 'POST', path: '/app/sms/campaign/delete', input: Deleting, reply: Message }),
}
