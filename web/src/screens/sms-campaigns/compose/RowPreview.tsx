import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import compose from '../../compose/Compose.module.css'
import type { useSmsPreview } from '../queries.ts'
import classes from './SmsCompose.module.css'

type RowPreviewProps = {
  preview: ReturnType<typeof useSmsPreview>
  sender: string | null
  /** Shows another row, by the line on which it starts. */
  onRow: (line: number) => void
}

export function RowPreview({ preview, sender, onRow }: RowPreviewProps) {
  const { preview: t, count } = useTexts('smsCompose')
  const format = useFormat()
  if (!preview.data?.shown) {
    return (
      <aside className={compose.telephone} aria-label={t.title}>
        <h2>{t.title}</h2>
        <div className={classes.phone}>
          <span className={classes.from}>{sender === null ? '' : t.from(sender)}</span>
          <p className={compose.hint}>{t.noText}</p>
        </div>
      </aside>
    )
  }
  const { shown, text, segments } = preview.data
  const { previous, next, reason } = shown
  const isSeen = text !== null && text.trim() !== ''
  return (
    <aside className={compose.telephone} aria-label={t.title} aria-busy={preview.isFetching}>
      <div className={compose.sectionHead}>
        <h2>{t.title}</h2>
        <div className={classes.step}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t.previous}
            disabled={previous === null}
            onClick={() => previous !== null && onRow(previous)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </Button>
          <span data-numeric>{`${t.line(format.count(shown.line))} · ${format.phone(shown.mobile)}`}</span>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t.next}
            disabled={next === null}
            onClick={() => next !== null && onRow(next)}
          >
            <IconChevronRight size={16} aria-hidden />
          </Button>
        </div>
      </div>
      <div className={classes.phone}>
        <span className={classes.from}>{sender === null ? '' : t.from(sender)}</span>
        {text === null && reason === null && <p className={compose.hint}>{t.noText}</p>}
        {isSeen && <p className={classes.bubble}>{text}</p>}
        {isSeen && segments !== null && <small>{count.segments(format.count(segments))}</small>}
      </div>
      {reason !== null && <p className={classes.wrong}>{t.reason(serverText(reason))}</p>}
    </aside>
  )
}
