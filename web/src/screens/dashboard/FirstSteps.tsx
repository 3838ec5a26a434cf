import type { FirstStep } from '@ghanti/contract/overview.ts'
import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { endFirstSteps, firstStepsQuery, stagesOf, wantsFirstSteps } from './first-steps.ts'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'

const placeOf: Record<FirstStep, string> = {
  voiceFile: '/add-voice-files',
  approval: '/voice-files',
  callerId: '/cli-list',
  balance: '/credits-history',
  contacts: '/contact-files',
  testCall: '/add-voice-campaign',
  campaign: '/add-voice-campaign',
  plan: '/add-voice-plan',
  customer: '/create-user',
  allocation: '/allocate-cli',
  recharge: '/user-list',
  customerCampaign: '/voice-campaign-summary',
  dialer: '/create-dialer',
  trunk: '/create-trunk',
  trunkTest: '/trunk-list',
  cli: '/add-cli',
}

const againMs = 15_000

/** Steps to a first campaign, ticked by what the database has. Disappears when all are done or somebody hides it. */
export function FirstSteps() {
  const { firstSteps: t } = useTexts('overview')
  const format = useFormat()
  const { userId } = useSession()
  const [isWanted, setWanted] = useState(() => wantsFirstSteps(userId))
  const { data, isLoading } = useQuery({ ...firstStepsQuery(), enabled: isWanted, refetchInterval: againMs })
  const steps = data?.steps ?? []
  const done = steps.filter(({ isDone }) => isDone).length
  const isOver = steps.length > 0 && done === steps.length
  useEffect(() => {
    if (isOver) endFirstSteps(userId)
  }, [isOver, userId])
  if (isWanted && isLoading) return <div className={classes.later} aria-busy />
  if (!isWanted || steps.length === 0 || isOver) return null
  const hide = () => {
    endFirstSteps(userId)
    setWanted(false)
    document.querySelector<HTMLElement>('main')?.focus()
  }
  const next = steps.find(({ isDone }) => !isDone)?.step
  const stages = stagesOf(steps)
  return (
    <Section
      title={t.title}
      hint={t.done(format.count(done), format.count(steps.length))}
      links={
        <Button variant="transparent" size="compact-sm" px={0} onClick={hide}>
          {t.hide}
        </Button>
      }
    >
      <ol className={classes.path}>
        {stages.map((stage, n) => (
          <li key={stage[0]?.step} data-done={stage.every(({ isDone }) => isDone) || undefined}>
            <span className={classes.stage} aria-hidden>
              {format.count(n + 1)}
            </span>
            <ol className={classes.steps}>
              {stage.map(({ step, isDone }) => (
                <li key={step} data-done={isDone || undefined} aria-current={next === step ? 'step' : undefined}>
                  {isDone ? (
                    <IconCircleCheck size={20} stroke={1.8} role="img" aria-label={t.isDone} />
                  ) : (
                    <IconCircle size={20} stroke={1.4} role="img" aria-label={t.isOpen} />
                  )}
                  <span>
                    {isDone ? t.steps[step].name : <Link to={placeOf[step]}>{t.steps[step].name}</Link>}
                    {next === step && <small>{t.steps[step].hint}</small>}
                  </span>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
    </Section>
  )
}
