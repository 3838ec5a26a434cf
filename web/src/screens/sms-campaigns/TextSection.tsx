import { smsSegmentsMax, smsSizeOf } from '@ghanti/contract/sms-text.ts'
import { Button, Textarea } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { Segments } from '../../components/form/Segments.tsx'
import { fieldText } from '../../components/ui/failure-texts.ts'
import { late } from '../../components/ui/late.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import compose from '../compose/Compose.module.css'
import { codeOf, type MessageText } from './message.ts'
import classes from './SmsCompose.module.css'

const SavedTexts = late(() => import('./SavedTexts.tsx'))

type TextSectionProps = {
  message: MessageText
  /** What is wrong with the text, as the wire says it. */
  problem: string | null
  /** Of the chosen file; null while none is. */
  columns: readonly string[] | null
  onChange: (message: MessageText) => void
}

/** The text, how it is sent, and what it is made of. Another template clears the text (spec 2 §4). */
export function TextSection({ message, problem, columns, onChange }: TextSectionProps) {
  const t = useTexts('smsCompose')
  const field = useRef<HTMLTextAreaElement>(null)
  const { templateId, text } = message
  const way = templateId === 1 ? 'personalised' : 'same'
  const insert = (column: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {}
    const placed = `{${column}}`
    onChange({ templateId, text: text.slice(0, selectionStart) + placed + text.slice(selectionEnd) })
    const caret = selectionStart + placed.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    })
  }
  return (
    <section className={compose.section} aria-labelledby="message-title">
      <h2 id="message-title">{t.message}</h2>
      <Segments
        label={t.template}
        value={way}
        onChange={(chosen) => onChange({ templateId: chosen === 'personalised' ? 1 : 0, text: '' })}
        data={(['same', 'personalised'] as const).map((value) => ({ value, label: t.templates[value] }))}
        className={compose.ways}
      />
      <p className={compose.hint}>{t.templateHints[way]}</p>
      <Suspense fallback={null}>
        <SavedTexts onChoose={(chosen) => onChange({ templateId, text: chosen })} />
      </Suspense>
      {templateId === 1 &&
        (columns === null ? (
          <p className={compose.hint}>{t.chooseFile}</p>
        ) : (
          <div className={classes.columns} role="group" aria-label={t.columns}>
            {columns.map((column) => (
              <Button
                key={column}
                size="compact-xs"
                variant="default"
                aria-label={t.insert(column)}
                onClick={() => insert(column)}
              >
                {`{${column}}`}
              </Button>
            ))}
          </div>
        ))}
      <Textarea
        ref={field}
        label={t.text}
        name="smsText"
        data-path="smsText"
        withAsterisk
        value={text}
        onChange={(event) => onChange({ templateId, text: event.currentTarget.value })}
        error={problem === null ? undefined : fieldText(t.text, problem)}
        autoComplete="off"
        styles={{ input: { minHeight: '7.5em', maxHeight: '20em' } }}
      />
      <Count text={text} isPersonalised={templateId === 1} />
    </section>
  )
}

/** Characters, segments, encoding, and the very sign that makes it Unicode; while one types. */
function Count({ text, isPersonalised }: { text: string; isPersonalised: boolean }) {
  const { count: t } = useTexts('smsCompose')
  const format = useFormat()
  const size = smsSizeOf(text)
  return (
    <div className={classes.count} role="status" aria-label={t.label}>
      <span data-numeric>
        {[t.characters(format.count(size.characters)), size.encoding, t.segments(format.count(size.segments))].join(
          ' · ',
        )}
      </span>
      {text !== '' && size.segments <= smsSegmentsMax && <span>{t.left(format.count(size.left))}</span>}
      {size.segments > smsSegmentsMax && (
        <strong className={classes.wrong}>{t.tooLong(format.count(smsSegmentsMax))}</strong>
      )}
      {size.unicodeSign !== null && <span>{t.unicode(size.unicodeSign, codeOf(size.unicodeSign))}</span>}
      {isPersonalised && text !== '' && <span>{t.personalised}</span>}
    </div>
  )
}
