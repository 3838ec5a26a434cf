import { settingRoutes } from '@ghanti/contract/settings.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useCallback } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { NumberCaps } from './NumberCaps.tsx'
import { OneNumber } from './OneNumber.tsx'
import { Quotas } from './Quotas.tsx'
import { anchorOf } from './SettingForm.tsx'
import { SaverProvider, useSections, type Changed, type Faults } from './settings-saver.ts'
import classes from './Settings.module.css'

const AllErrors = late(() => import('./AllErrors.tsx'))
const Archives = late(() => import('./Archives.tsx'))
const RecordingNotice = late(async () => {
  const [part] = await Promise.all([import('./RecordingNotice.tsx'), loadTexts('recordingNotice')])
  return part
})
// Below the fold: operators, and everything about messages.
const MoreSettings = late(async () => {
  const [part] = await Promise.all([import('./MoreSettings.tsx'), loadTexts('callingHours', 'factors')])
  return part
})

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(settingRoutes.read, {})))

/** In the order of the page. */
const index = [
  'numberCaps',
  'quotas',
  'recordingNotice',
  'contactFileDays',
  'exportDays',
  'historyMonths',
  'archives',
  'dialerWaitMinutes',
  'lostServer',
  'firstPassword',
  'secondFactor',
  'proofMinutes',
  'operatorPrefixes',
  'textApproval',
  'smsNumberCaps',
  'smsPricePaisa',
  'optOut',
  'inboxDays',
  'smsAddressHosts',
  'smsHours',
] as const

export default function SettingsScreen() {
  const t = useTexts('settings')
  const settings = useQuery({ ...jsonQuery(settingRoutes.read, {}), staleTime: 0 })
  const { data } = settings
  const saved = useCallback(() => showDone(t.saved), [t.saved])
  const { changed, faults, busy, saver } = useSections(saved)
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      {settings.error && !data && <Failure error={settings.error} onRetry={() => void settings.refetch()} />}
      {!settings.error && !data && <div className={classes.loading} aria-busy />}
      {data && (
        <SaverProvider value={saver}>
          <div className={classes.page}>
            <Index changed={changed} />
            <div className={classes.sections}>
              <NumberCaps key={JSON.stringify(data.numberCaps)} opened={data.numberCaps} over={data.overCaps} />
              <Quotas key={JSON.stringify(data.quotas)} opened={data.quotas} over={data.overQuotas} />
              <div id={anchorOf(t.recordingNotice.title)} className={classes.section}>
                <Suspense fallback={<div aria-busy />}>
                  <RecordingNotice />
                </Suspense>
              </div>
              <OneNumber key={`days ${data.contactFileDays}`} name="contactFileDays" opened={data.contactFileDays} />
              <OneNumber key={`exports ${data.exportDays}`} name="exportDays" opened={data.exportDays} />
              <OneNumber key={`months ${data.historyMonths}`} name="historyMonths" opened={data.historyMonths} />
              <div id={anchorOf(t.archives.title)} className={classes.section}>
                <Suspense fallback={<div aria-busy />}>
                  <Archives />
                </Suspense>
              </div>
              <OneNumber
                key={`wait ${data.dialerWaitMinutes}`}
                name="dialerWaitMinutes"
                opened={data.dialerWaitMinutes}
              />
              <Suspense fallback={<div className={classes.loading} aria-busy />}>
                <MoreSettings data={data} />
              </Suspense>
              <SaveBar changed={changed} faults={faults} busy={busy} save={saver.save} />
            </div>
          </div>
        </SaverProvider>
      )}
    </Page>
  )
}

function Index({ changed }: { changed: Changed }) {
  const t = useTexts('settings')
  return (
    <nav className={classes.index} aria-label={t.index}>
      {index.map((name) => {
        const { title } = t[name]
        return (
          <a key={name} href={`#${anchorOf(title)}`} data-changed={changed.has(title) || undefined}>
            {title}
          </a>
        )
      })}
    </nav>
  )
}

type SaveBarProps = { changed: Changed; faults: Faults; busy: boolean; save: () => Promise<void> }

/** Stays in sight while something is changed. */
function SaveBar({ changed, faults, busy, save }: SaveBarProps) {
  const t = useTexts('settings')
  const format = useFormat()
  const titles = [...changed.keys()]
  return (
    <div className={classes.bar}>
      {faults.size > 0 && (
        <Suspense fallback={null}>
          <AllErrors faults={faults} />
        </Suspense>
      )}
      <div className={classes.save} data-changed={titles.length > 0 || undefined}>
        <span role="status" title={titles.join(', ')}>
          {titles.length === 0
            ? t.unchanged
            : t.changed(format.count(titles.length), titles.length === 1, titles[0] ?? '')}
        </span>
        <Button loading={busy} disabled={titles.length === 0} onClick={() => void save()}>
          {t.save}
        </Button>
      </div>
    </div>
  )
}
