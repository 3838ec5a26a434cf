import type { MessageInsight } from '@ghanti/contract/insight.ts'
import { useTexts } from '../../i18n/language.ts'
import { Compared } from './Compared.tsx'
import { messageFigures, moneyFigures } from './figures.ts'
import { OverTime } from './OverTime.tsx'
import { Nothing, Range } from './Range.tsx'
import { weekOf } from './series.ts'
import { Tiles } from './Tiles.tsx'
import { Week } from './Week.tsx'

const messageMoney = moneyFigures<MessageInsight['totals']>

/** Figures of messages; `at`: when they were read. */
export default function Messages({ answer, at }: { answer: MessageInsight; at: number }) {
  const t = useTexts('insight')
  const figures = [...messageFigures, ...messageMoney(answer.totals)]
  if (answer.totals.messages === 0 && answer.totalsBefore.messages === 0)
    return <Nothing text={t.emptyMessages} answer={answer} />
  return (
    <>
      <Range answer={answer} />
      <Tiles figures={figures} now={answer.totals} before={answer.totalsBefore} />
      {answer.by === 'weekday' ? (
        <Week title={t.weekMessages} week={weekOf(answer.series, ({ messages }) => messages)} />
      ) : (
        <OverTime what="messages" answer={answer} at={at} />
      )}
      <Compared answer={answer} figures={figures} />
    </>
  )
}
