import { summaryRoutes } from '@ghanti/contract/summaries.ts'
import { fileAddress } from '../../api/client.ts'
import { download } from '../../api/follow-download.ts'
import { calendarOfNow } from '../../i18n/chosen-calendar.ts'
import { currentLanguage } from '../../i18n/language.ts'

/** The summary of a campaign as PDF, in the language and calendar of now. */
export function downloadPdf(campaignId: number): void {
  const written = { language: currentLanguage(), calendar: calendarOfNow() }
  download(fileAddress(summaryRoutes.pdf, { campaignId, ...written }))
}
