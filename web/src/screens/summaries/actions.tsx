import { summaryRoutes } from '@ghanti/contract/summaries.ts'
import { Suspense } from 'react'
import { fileAddress } from '../../api/client.ts'
import { download } from '../../api/follow-download.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { calendarOfNow } from '../../i18n/chosen-calendar.ts'
import { currentLanguage, loadTexts, textsOf } from '../../i18n/language.ts'

const SendSummary = late(() => import('./SendSummary.tsx'))

export async function openSendSummary(campaignId: number, go: (path: string) => void): Promise<void> {
  await loadTexts('summaryMails')
  showDialog({
    title: textsOf('summaryMails').send.title,
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <SendSummary campaignId={campaignId} close={close} go={go} />
      </Suspense>
    ),
  })
}

export function downloadPdf(campaignId: number): void {
  const written = { language: currentLanguage(), calendar: calendarOfNow() }
  download(fileAddress(summaryRoutes.pdf, { campaignId, ...written }))
}
