import type { DayOutcome } from '@ghanti/contract/repeats.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

const tones: Record<DayOutcome, StatusKind> = {
  composed: 'done',
  nobody: 'neutral',
  missed: 'problem',
  failed: 'problem',
}

export function Outcome({ outcome, day }: { outcome: DayOutcome; day?: string }) {
  const t = useTexts('repeats')
  const format = useFormat()
  return (
    <Status is={tones[outcome]}>
      {day !== undefined && `${format.day(day)}: `}
      {t.outcomes[outcome]}
    </Status>
  )
}
