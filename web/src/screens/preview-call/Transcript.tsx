import { keyWithName } from '@ghanti/contract/key-names.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { Line, Said } from './heard-call.ts'
import { labelOf } from './part-label.ts'
import classes from './PreviewCall.module.css'
import type { Preview } from './queries.ts'

export function Transcript({ lines, preview }: { lines: readonly Line[]; preview: Preview }) {
  const t = useTexts('previewCall')
  const format = useFormat()
  return (
    <section className={classes.transcript} aria-label={t.transcript} tabIndex={0}>
      <h3>{t.transcript}</h3>
      {lines.length === 0 && <p className={classes.hint}>{t.nothing}</p>}
      <ol>
        {lines
          .map(({ atMs, said }, index) => (
            <li key={index}>
              <time data-numeric>{format.length(Math.floor(atMs / 1000) * 1000)}</time>
              <span>{textOf(said, preview, t, format)}</span>
            </li>
          ))
          .toReversed()}
      </ol>
    </section>
  )
}

function textOf(said: Said, { spoken, keyLabels }: Preview, texts: TextsOf<'previewCall'>, format: Format): string {
  const { lines: t } = texts
  switch (said.kind) {
    case 'part':
      return said.part.kind === 'prompt'
        ? labelOf(said.part, texts, format)
        : `${labelOf(said.part, texts, format)}: ${spoken[said.part.column]?.text ?? ''}`
    case 'key':
      return said.valid ? texts.accepted(keyWithName(keyLabels, said.digit)) : texts.wrong(said.digit)
    case 'unheardKey':
      return texts.unheard(said.digit)
    case 'wait':
      return t.wait(format.count(said.ms / 1000))
    case 'agentRings':
      return t.agentRings(format.phone(said.number))
    case 'over':
      return said.by === 'you' ? t.youHungUp : t.flowHungUp
    case 'answered':
    case 'silence':
    case 'agentAnswered':
    case 'agentFailed':
    case 'agentHungUp':
      return t[said.kind]
  }
}
