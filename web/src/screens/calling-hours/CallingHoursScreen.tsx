import layout from '../../components/form/Form.module.css'
import { callingHoursRoutes } from '@ghanti/contract/calling-hours.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './CallingHours.module.css'
import { Exceptions } from './Exceptions.tsx'
import { PlatformHours } from './PlatformHours.tsx'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(callingHoursRoutes.platform, {})))

export default function CallingHoursScreen() {
  const t = useTexts('callingHours')
  const platform = useQuery({ ...jsonQuery(callingHoursRoutes.platform, {}), staleTime: 0 })
  const { data } = platform
  return (
    <div className={classes.screen}>
      <Page title={t.title} subtitle={t.subtitle}>
        {platform.error && !data && <Failure error={platform.error} onRetry={() => void platform.refetch()} />}
        {!platform.error && !data && <div className={classes.loading} aria-busy />}
        {data && (
          <div className={layout.form}>
            <Now now={data.now} />
            <PlatformHours key={JSON.stringify([data.hours, data.dialDays])} opened={data} />
          </div>
        )}
      </Page>
      {data && <Exceptions platform={data.hours} />}
    </div>
  )
}

function Now({ now }: { now: ReplyOf<typeof callingHoursRoutes.platform>['now'] }) {
  const t = useTexts('callingHours')
  const format = useFormat()
  if (now.open) return <p className={classes.now}>{t.openNow}</p>
  return <p className={classes.now}>{now.opensAt === null ? t.neverOpen : t.closedNow(format.time(now.opensAt))}</p>
}
