import { ownValue } from '@ghanti/contract/own-values.ts'
import { Loader } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useTexts } from '../../i18n/language.ts'
import { Call } from './Call.tsx'
import classes from './PreviewCall.module.css'
import { usePreview, useSounds, type Preview, type Source } from './queries.ts'
import type { Speaker } from './speaker.ts'
import { RowPicker } from './RowPicker.tsx'

type PreviewCallProps = {
  source: Source
  labels: Readonly<Record<string, string>>
  /** Begins the call of the first row with it. */
  opened?: Speaker | undefined
}

export default function PreviewCall({ source, labels, opened }: PreviewCallProps) {
  const t = useTexts('previewCall')
  const [line, setLine] = useState<number | null>(null)
  const preview = usePreview(source, line)
  const { data } = preview
  return (
    <div className={classes.preview}>
      <p className={classes.hint}>{t.hint}</p>
      <RowPicker
        key={`picked ${data?.row.line ?? line}`}
        row={data?.row}
        line={line}
        busy={preview.isFetching}
        onChoose={setLine}
      />
      {preview.error && (
        <Failure error={labelled(preview.error, { row: t.row, ...labels })} onRetry={() => void preview.refetch()} />
      )}
      {!data && !preview.error && <Loader size="sm" />}
      {data && <Loaded key={`heard ${data.row.line}`} preview={data} opened={line === null ? opened : undefined} />}
    </div>
  )
}

function labelled(error: Error, labels: Readonly<Record<string, string>>): Error {
  if (!(error instanceof ApiError)) return error
  const errors = error.errors.map((one) => ({ ...one, field: ownValue(labels, one.field) ?? one.field }))
  return new ApiError(error.status, error.message, errors, error.retryAfterSeconds)
}

function Loaded({ preview, opened }: { preview: Preview; opened: Speaker | undefined }) {
  const t = useTexts('previewCall')
  const sounds = useSounds(preview)
  if (sounds.error) return <Failure title={t.soundsFailed} error={sounds.error} onRetry={() => void sounds.refetch()} />
  if (!sounds.data) return <Loader size="sm" />
  return <Call preview={preview} sounds={sounds.data} opened={opened} />
}
