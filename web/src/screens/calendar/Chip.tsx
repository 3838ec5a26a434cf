import { campaignStatusLabel } from '@ghanti/contract/campaign-status.ts'
import { IconMessage, IconPhone, IconRepeat } from '@tabler/icons-react'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { toneOf } from '../voice-campaigns/tones.ts'
import classes from './Calendar.module.css'
import type { Mover } from './use-moving.ts'
import { timeOf, wireOf, type Plan } from './plans.ts'

const icons = { calls: IconPhone, messages: IconMessage, repeat: IconRepeat }

export function KindIcon({ kind }: { kind: Plan['kind'] }) {
  const Drawing = icons[kind]
  return <Drawing size={13} stroke={1.9} aria-hidden />
}

/** 'Running', or, for a day still to come, the fact that it repeats. */
export function stateText({ status, byColumn }: Plan, t: TextsOf<'calendar'>): string {
  if (status !== null) return serverText(campaignStatusLabel[status])
  return byColumn ? t.ifAnybody : t.repeats
}

export const toneOfPlan = ({ status }: Plan) => (status === null ? 'neutral' : toneOf[status])

type ChipProps = {
  plan: Plan
  original: Plan
  isPast: boolean
  /** True beside other plans, where there is room only for the name. */
  isNarrow: boolean
  mover: Mover
  open: (plan: Plan) => void
}

export function Chip({ plan, original, isPast, isNarrow, mover, open }: ChipProps) {
  const t = useTexts('calendar')
  const format = useFormat()
  const { name, kind, refusal } = plan
  const time = format.digits(timeOf(plan.minute))
  return (
    <button
      type="button"
      className={classes.chip}
      data-is={toneOfPlan(plan)}
      data-kind={kind}
      data-movable={refusal === null || undefined}
      data-past={isPast || undefined}
      data-narrow={isNarrow || undefined}
      title={`${time} ${name}`}
      onClick={() => mover.wasDragged() || open(original)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') mover.onPointerCancel(original)
        mover.onKeyDown(original, event)
      }}
      onBlur={() => mover.onBlur(original)}
      onPointerDown={(event) => mover.onPointerDown(event)}
      onPointerMove={(event) => mover.onPointerMove(original, event)}
      onPointerUp={() => mover.onPointerUp(original)}
      onPointerCancel={() => mover.onPointerCancel(original)}
    >
      <KindIcon kind={kind} />
      <span aria-hidden>
        <span className={classes.time}>{time} </span>
        {name}
      </span>
      <span className={classes.spoken}>
        {[name, t.kinds[kind], stateText(plan, t), format.time(wireOf(plan))].join(', ')}
      </span>
    </button>
  )
}
