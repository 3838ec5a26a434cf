import { settingRoutes } from '@ghanti/contract/settings.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { NumberCaps } from './NumberCaps.tsx'
import { OneNumber } from './OneNumber.tsx'
import { Quotas } from './Quotas.tsx'
import classes from './Settings.module.css'

const Archives = late(() => import('./Archives.tsx'))
const RecordingNotice = late(async () => {
  const [part] = await Promise.all([import('./RecordingNotice.tsx'), loadTexts('recordingNotice')])
  return part
})
// Below the fold: operators, and everything about messages.
const MoreSettings = late(async () => {
  const [part] = await Promise.all([import('./MoreSettings.tsx'), loadTexts('callingHours')])
  return part
})

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(settingRoutes.read, {})))

export default function SettingsScreen() {
  const t = useTexts('settings')
  const settings = useQuery({ ...jsonQuery(settingRoutes.read, {}), staleTime: 0 })
  const { data } = settings
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      {settings.error && !data && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {!settings.error && !data && <div className={classes.loading} aria-busy />}
      {data && (
        <div className={classes.sections}>
          <NumberCaps key={JSON.stringify(data.numberCaps)} opened={data.numberCaps} over={data.overCaps} />
          <Quotas key={JSON.stringify(data.quotas)} opened={data.quotas} over={data.overQuotas} />
          <Suspense fallback={<div aria-busy />}>
            <RecordingNotice />
          </Suspense>
          <OneNumber key={`days ${data.contactFileDays}`} name="contactFileDays" opened={data.contactFileDays} />
          <OneNumber key={`exports ${data.exportDays}`} name="exportDays" opened={data.exportDays} />
          <OneNumber key={`months ${data.historyMonths}`} name="historyMonths" opened={data.historyMonths} />
          <Suspense fallback={<div aria-busy />}>
            <Archives />
          </Suspense>
          <OneNumber key={`wait ${data.dialerWaitMinutes}`} name="dialerWaitMinutes" opened={data.dialerWaitMinutes} />
          <Suspense fallback={<div className={classes.loading} aria-busy />}>
            <MoreSettings data={data} />
          </Suspense>
        </div>
      )}
    </Page>
  )
}
