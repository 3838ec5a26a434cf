import { Loader } from '@mantine/core'
import { Suspense } from 'react'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import { CheckFile } from './check/late-parts.ts'
import type { FileReading } from './check/file-reading.ts'
import classes from './ContactFiles.module.css'

type CheckedFileProps = { file: File; submit: string; isSending: boolean; onUse: (reading: FileReading) => void }

/** The check of a file as a part of a page. */
export function CheckedFile({ file, ...rest }: CheckedFileProps) {
  return (
    <div className={classes.card}>
      <Suspense fallback={<Loader size="sm" />}>
        <CheckFile key={`${file.name} ${file.size} ${file.lastModified}`} file={file} {...rest} />
      </Suspense>
    </div>
  )
}

export function NotSent({ failure }: { failure: unknown }) {
  const t = useTexts('contactFiles')
  if (failure === null) return null
  return (
    <p className={classes.bad} role="alert">
      {failureTexts(failure, t.fields).helps.join(' ')}
    </p>
  )
}
