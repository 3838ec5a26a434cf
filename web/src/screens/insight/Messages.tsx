import { messageFigures, moneyFigures } from '@ghanti/contract/insight-figures.ts'
import type { MessageInsight, MessageTable } from '@ghanti/contract/insight.ts'
import { useTexts } from '../../i18n/language.ts'
import { Compared } from './Compared.tsx'
import { OverTime } from './OverTime.tsx'
import { Nothing, Range } from './Range.tsx'
import { weekOf } from './series.ts'
import { Tiles } from './Tiles.tsx'
import { Week } from './Week.tsx'

const messageMoney = moneyFigures<MessageInsight['totals']>

type MessagesProps = { answer: MessageInsight; at: number; csvOf: (table: MessageTable) => string }

/** Figures of messages; `at`: when they were read. */
export default function Messages({ answer, at, csvOf }: MessagesProps) {
  const t = useTexts('insight')
  const figures = [...messageFigures, ...messageMoney(answer.totals)]
  if (answer.totals.messages === 0 && answer.totalsBefore.messages === 0)
    return <Nothing text={t.emptyMessages} answer={answer} />
  return (
    <>
      <Range answer={answer} />
      <Tiles figures={figures} now={answer.totals} before={answer.totalsBefore} />
      {answer.by === 'weekday' ? (
        <Week title={t.weekMessages} week={weekOf(answer.series, ({ messages }) => messages)} csvHref={csvOf('time')} />
      ) : (
        <OverTime what="messages" answer={answer} at={at} csvHref={csvOf('time')} />
      )}
      <Compared answer={answer} figures={figures} csvHref={csvOf('rows')} />
    </>
  )
}
