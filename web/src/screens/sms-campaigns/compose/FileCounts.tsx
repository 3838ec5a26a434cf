import { Loader } from '@mantine/core'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import { MoreNumbers } from '../../contacts/MoreNumbers.tsx'
import { labelled } from '../labels.ts'
import type { useSmsPreview } from '../queries.ts'
import classes from './SmsCompose.module.css'

const kinds = ['accepted', 'unreachable', 'invalid', 'duplicate', 'blacklisted', 'unapproved'] as const

export default function FileCounts({ preview }: { preview: ReturnType<typeof useSmsPreview> }) {
  const texts = useTexts('smsCompose')
  const { contacts } = useTexts('compose')
  const { preview: t } = texts
  const format = useFormat()
  if (preview.error) {
    const error = labelled(preview.error, texts, contacts.title)
    return <Failure title={t.failed} error={error} onRetry={() => void preview.refetch()} />
  }
  if (!preview.data) return preview.fetchStatus === 'idle' ? null : <Loader size="sm" />
  const { data } = preview
  return (
    <div aria-busy={preview.isFetching}>
      <dl className={classes.counts} aria-label={t.rows}>
        {kinds
          .filter((kind) => kind !== 'unapproved' || data.unapproved > 0)
          .map((kind) => (
            <div key={kind}>
              <dt>{t[kind]}</dt>
              <dd data-numeric>{format.count(data[kind])}</dd>
            </div>
          ))}
      </dl>
      <MoreNumbers counted={data.moreNumbers} of="messages" />
      {data.unapproved > 0 && <p>{t.unapprovedHint}</p>}
      {data.accepted === 0 && (
        <p role="alert" className={classes.wrong}>
          {t.none}
        </p>
      )}
      {data.refused.length > 0 && (
        <details>
          <summary>{t.refused}</summary>
          <ul className={classes.refused}>
            {data.refused.map(({ line, text, reason }) => (
              <li key={line}>
                {t.line(format.count(line))}: <span>{text}</span> – {serverText(reason)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
