import { Button, Loader } from '@mantine/core'
import { Suspense, useEffect, useEffectEvent } from 'react'
import { showDialog } from '../../../components/ui/dialogs/dialogs.ts'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../../i18n/language.ts'
import CheckFile from './CheckFile.tsx'
import type { AskedFile, FileReading } from './file-reading.ts'
import classes from './CheckFile.module.css'

type CheckSheetProps = {
  asked: AskedFile
  onUse: (reading: FileReading) => void
  wanted?: readonly string[]
  isList?: boolean
}

/** Opens over the form as soon as a file is refused, and again by its button: what was said of the file stays. */
export default function CheckSheet({ asked, onUse, wanted, isList }: CheckSheetProps) {
  const t = useTexts('contactTable')
  const { file, refusal, reading } = asked
  const code = refusal.errors[0]?.code
  const open = () =>
    showDialog({
      title: code === 'which_sheet' ? t.sheetTitle : code === 'hidden_rows' ? t.hidden.title : t.title,
      size: 'xl',
      render: (close) => (
        <Suspense fallback={<Loader size="sm" />}>
          <CheckFile
            {...{ file, reading, wanted, isList }}
            submit={t.use}
            onUse={(chosen) => {
              close()
              onUse(chosen)
            }}
          />
        </Suspense>
      ),
    })
  const opened = useEffectEvent(open)
  useEffect(() => opened(), [])
  return (
    <div className={classes.asked}>
      <p role="status">
        {failureTexts(refusal, { baseFile: t.fields.baseFile, blistFile: t.fields.baseFile }).helps.join(' ')}
      </p>
      <Button onClick={open}>{t.open}</Button>
    </div>
  )
}
