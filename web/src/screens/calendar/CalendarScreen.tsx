import { addDays } from '@ghanti/contract/days.ts'
import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { useSession } from '../../api/session.ts'
import { Segments } from '../../components/form/Segments.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useNow } from '../compose/schedule/use-now.ts'
import classes from './Calendar.module.css'
import { views, weekIn, weekQuery } from './week.ts'

// The code that draws and moves plans loads after the page's frame.
const Week = late(() => import('./Week.tsx'))

/** How often the week is reloaded. That is enough, because the calendar shows states and not live progress. */
const againMs = 15_000

export const loader = screenLoader(({ url, userId, prefetch }) => {
  void prefetch(weekQuery(userId, weekIn(url.searchParams, new Date())))
})

export default function CalendarScreen() {
  const t = useTexts('calendar')
  const { userId } = useSession()
  const now = useNow()
  const [params, setParams] = useSearchParams()
  const week = weekIn(params, now)
  const isWide = useMediaQuery('(min-width: 900px)', undefined, { getInitialValueInEffect: false })
  const asked = useQuery({ ...weekQuery(userId, week), placeholderData: keepPreviousData, refetchInterval: againMs })
  const view = isWide && params.get('view') !== 'list' ? 'week' : 'list'
  const set = (name: string, value: string | null) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (value === null) next.delete(name)
      else next.set(name, value)
      return next
    })
  return (
    <Page title={t.title} subtitle={<Subtitle week={week} />} actions={<Steps from={week.from} set={set} />}>
      {isWide && (
        <Segments
          label={t.view}
          value={view}
          onChange={(chosen) => set('view', chosen === 'week' ? null : chosen)}
          data={views.map((value) => ({ value, label: t.views[value] }))}
        />
      )}
      {asked.error && !asked.data && <Failure error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data ? (
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <Week answer={asked.data} view={view} now={now} showAll={() => set('view', 'list')} />
        </Suspense>
      ) : (
        <div className={classes.loading} aria-busy={!asked.error} />
      )}
    </Page>
  )
}

function Subtitle({ week: { from, to } }: { week: { from: string; to: string } }) {
  const t = useTexts('calendar')
  const format = useFormat()
  return t.range(format.day(from), format.day(to))
}

function Steps({ from, set }: { from: string; set: (name: string, value: string | null) => void }) {
  const t = useTexts('calendar')
  return (
    <>
      <ActionIcon variant="default" size="lg" aria-label={t.previous} onClick={() => set('week', addDays(from, -7))}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Button variant="default" onClick={() => set('week', null)}>
        {t.thisWeek}
      </Button>
      <ActionIcon variant="default" size="lg" aria-label={t.next} onClick={() => set('week', addDays(from, 7))}>
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </>
  )
}
