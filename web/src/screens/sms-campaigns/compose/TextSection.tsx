import { Suspense } from 'react'
import { Segments } from '../../../components/form/Segments.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import { useTexts } from '../../../i18n/language.ts'
import compose from '../../compose/Compose.module.css'
import type { MessageText } from './message.ts'
import { MessageField } from './MessageField.tsx'

const SavedTexts = late(() => import('./SavedTexts.tsx'))
void SavedTexts.preload()

type TextSectionProps = {
  message: MessageText
  /** The text's error, as on the wire. */
  problem: string | null
  /** The chosen file's; null without one. */
  columns: readonly string[] | null
  onChange: (message: MessageText) => void
}

/** The text, how it is sent, and its size. Choosing another template clears it (specification 2 §4); inserting a column keeps it. */
export function TextSection({ message, problem, columns, onChange }: TextSectionProps) {
  const t = useTexts('smsCompose')
  const { templateId, text } = message
  const way = templateId === 1 ? 'personalised' : 'same'
  return (
    <section className={compose.section} aria-labelledby="message-title">
      <h3 id="message-title">{t.message}</h3>
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
      <MessageField
        label={t.text}
        name="smsText"
        text={text}
        problem={problem}
        columns={columns}
        isPersonalised={templateId === 1}
        onChange={(changed) => onChange({ templateId, text: changed })}
        onPersonalise={(changed) => onChange({ templateId: 1, text: changed })}
      />
    </section>
  )
}
