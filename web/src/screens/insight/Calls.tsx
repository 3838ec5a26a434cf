import { callFiguresFor, moneyFigures } from '@ghanti/contract/insight-figures.ts'
import type { CallInsight, CallTable } from '@ghanti/contract/insight.ts'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import Answers from './Answers.tsx'
import { answerFigures } from './answers.ts'
import { BestHours, type Sent } from './BestHours.tsx'
import { Compared } from './Compared.tsx'
import { OverTime } from './OverTime.tsx'
import { Nothing, Range } from './Range.tsx'
import { weekOf } from './series.ts'
import { Tiles } from './Tiles.tsx'
import { Week } from './Week.tsx'

const callMoney = moneyFigures<CallInsight['totals']>

type CallsProps = { answer: CallInsight; sent: Sent; at: number; csvOf: (table: CallTable) => string }

/** Figures of calls; `at`: when they were read. */
export default function Calls({ answer, sent, at, csvOf }: CallsProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const { role } = useSession()
  const money = callMoney(answer.totals)
  const figures = [...callFiguresFor(role), ...money]
  if (answer.totals.attempts === 0 && answer.totalsBefore.attempts === 0)
    return <Nothing text={t.empty} answer={answer} />
  return (
    <>
      <Range answer={answer} />
      <Tiles
        figures={figures}
        first={role === 'superAdmin' ? [] : ['attempts', 'answered', 'listened', ...money.map(({ name }) => name)]}
        now={answer.totals}
        before={answer.totalsBefore}
      />
      {answer.by === 'weekday' ? (
        <Week title={t.week} week={weekOf(answer.series, ({ attempts }) => attempts)} csvHref={csvOf('time')} />
      ) : (
        <OverTime what="calls" answer={answer} at={at} csvHref={csvOf('time')} />
      )}
      <BestHours sent={sent} answer={answer} />
      <Answers answer={answer} csvOf={csvOf} />
      <Compared
        answer={answer}
        figures={[...figures, ...answerFigures(answer.rows, t, format)]}
        csvHref={csvOf('rows')}
      />
    </>
  )
}
