import { dispositions, type Disposition } from '@ghanti/contract/campaign-status.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { StatusKind } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Bars.module.css'

type ProgressBarProps = { share: number; tone: StatusKind; tall?: boolean } & (
  | { attempts: number }
  /** Its accessible label, for campaigns without attempts. */
  | { label: string }
)

export function ProgressBar({ share, tone, tall = false, ...said }: ProgressBarProps) {
  const { progress } = useTexts('voiceCampaigns')
  const format = useFormat()
  const label =
    'label' in said ? said.label : progress.label(format.count(Math.floor(share * 100)), format.count(said.attempts))
  return (
    <div
      className={`${classes.bar} ${classes.progress}`}
      data-tall={tall || undefined}
      data-tone={tone}
      role="img"
      aria-label={label}
      style={{ backgroundSize: `${share * 100}% 100%` }}
    />
  )
}

/** The dispositions that occurred, in the contract's order, with start and width in percent. */
export function outcomeSegments(outcomes: CampaignRow['outcomes']) {
  const total = dispositions.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0)
  let start = 0
  return dispositions.flatMap((name): { name: Disposition; count: number; start: number; percent: number }[] => {
    const count = outcomes[name] ?? 0
    if (count === 0) return []
    const segment = { name, count, start, percent: (count / total) * 100 }
    start += segment.percent
    return [segment]
  })
}

export function OutcomeBar({ outcomes, tall = false }: { outcomes: CampaignRow['outcomes']; tall?: boolean }) {
  const { outcomes: t } = useTexts('voiceCampaigns')
  const format = useFormat()
  const segments = outcomeSegments(outcomes)
  if (segments.length === 0) return null
  const label = t.label(segments.map(({ name, count }) => `${t.names[name]} ${format.count(count)}`).join(', '))
  return (
    <svg
      className={classes.bar}
      data-tall={tall || undefined}
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {segments.map(({ name, start, percent }) => (
        <rect key={name} className={classes.segment} data-outcome={name} x={start} width={percent} height="1" />
      ))}
    </svg>
  )
}
