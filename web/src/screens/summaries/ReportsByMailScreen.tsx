import { summaryMailRoutes } from '@ghanti/contract/summary-mails.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { MailAddresses } from './MailAddresses.tsx'
import { MailChoice } from './MailChoice.tsx'
import classes from './ReportsByMail.module.css'
import { LastMails } from './LastMails.tsx'

const { read: route } = summaryMailRoutes
export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(route, {})))

const soonMs = 2_000
const lateMs = 10_000

/** How often to reload while a mail is being sent or an address is unconfirmed. */
function againAfter({ mails, addresses }: ReplyOf<typeof route>): number | false {
  if (mails.some(({ state }) => state === 'queued' || state === 'sending')) return soonMs
  return addresses.some(({ state }) => state === 'waiting') && lateMs
}

export default function ReportsByMailScreen() {
  const t = useTexts('summaryMails')
  const settings = useQuery({
    ...jsonQuery(route, {}),
    refetchInterval: ({ state: { data } }) => (data ? againAfter(data) : false),
  })
  const { data, error } = settings
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      {error && !data && <Failure error={error} onRetry={() => void settings.refetch()} />}
      {!error && !data && <div className={classes.loading} aria-busy />}
      {data && (
        <div className={classes.screen}>
          {!data.isSent && <p className={classes.warning}>{t.noMail}</p>}
          <MailAddresses addresses={data.addresses} />
          <MailChoice stored={data} />
          <LastMails mails={data.mails} today={data.mailsToday} />
        </div>
      )}
    </Page>
  )
}
