import type { VoiceCoverage, VoicePackDetail } from '@ghanti/contract/voices.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './VoicePacks.module.css'

export function Coverage({ pack }: { pack: VoicePackDetail }) {
  const t = useTexts('voicePacks')
  const format = useFormat()
  return (
    <section className={classes.section} aria-labelledby="coverage">
      <h2 id="coverage">{t.coverage.title}</h2>
      <ul className={classes.coverage}>
        {pack.coverage.map((line) => (
          <li key={`${line.kind} ${line.calendar}`}>
            <span>{nameOf(line, t)}</span>
            <Status is={statusOf(line)}>{wordsOf(line, t, format)}</Status>
            <span className={classes.more} data-numeric>
              {t.of(format.count(line.approved), format.count(line.words))}
            </span>
          </li>
        ))}
      </ul>
      <p className={classes.hint}>{t.coverage.engine}</p>
    </section>
  )
}

function nameOf({ kind, calendar }: VoiceCoverage, t: TextsOf<'voicePacks'>): string {
  return calendar === null ? t.kinds[kind] : `${t.kinds[kind]}, ${t.calendars[calendar]}`
}

function statusOf({ words, approved, missing }: VoiceCoverage): StatusKind {
  if (approved === words) return 'done'
  return missing === 0 ? 'held' : 'neutral'
}

function wordsOf(line: VoiceCoverage, t: TextsOf<'voicePacks'>, format: Format): string {
  if (line.missing > 0) return t.coverage.missing(format.count(line.missing))
  return line.approved === line.words ? t.coverage.complete : t.coverage.waiting
}
