import * as z from 'zod/mini'
import { file } from './route.ts'
import { calendars, languages } from './templates.ts'
import { Id, orRequired } from './values.ts'

/** The language of a summary and the calendar of its days; the default calendar is the language's. */
const written = {
  language: z.optional(z.enum(languages, orRequired(`must be one of ${languages.join(', ')}`))),
  calendar: z.optional(z.enum(calendars, orRequired(`must be one of ${calendars.join(', ')}`))),
}

/** The summary of a campaign on one page: sums and money, nothing of the people who were called. */
export const summaryRoutes = {
  pdf: file({
    path: '/api/obd/campaign/summary/:campaignId/summary.pdf',
    input: z.object({ campaignId: Id, ...written }),
  }),
  /** The same figures as a line of a table; in English, as all files are. */
  csv: file({ path: '/api/obd/campaign/summary/:campaignId/summary.csv', input: z.object({ campaignId: Id }) }),
}
