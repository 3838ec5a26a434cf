import type { CallInsight } from '@ghanti/contract/insight.ts'
import Empty from '../../components/ui/Empty.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Insight.module.css'

export function Range({ answer }: { answer: Pick<CallInsight, 'from' | 'to' | 'before' | 'isFilling'> }) {
  const t = useTexts('insight')
  const format = useFormat()
  const { from, to, before, isFilling } = answer
  return (
    <>
      <p className={classes.range}>
        <span>{t.range(format.day(from), format.day(to))} ·</span>{' '}
        <span>{t.beforeRange(format.day(before.from), format.day(before.to))}</span>
      </p>
      {isFilling && (
        <p role="status" className={classes.note}>
          {t.filling}
        </p>
      )}
    </>
  )
}

export function Nothing({
  text,
  answer,
}: {
  text: string
  answer: Pick<CallInsight, 'from' | 'to' | 'before' | 'isFilling'>
}) {
  return (
    <>
      <Range answer={answer} />
      <Empty drawing="lines" text={text} />
    </>
  )
}
