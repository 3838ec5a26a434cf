import { Button, Loader } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import { ChooseColumns } from './choose-columns.ts'
import classes from './ContactFiles.module.css'
import { askedAbout, type AskedFile, type FileReading } from './file-reading.ts'

type FileValues = { baseFile: File | null }
type Send<Values> = (values: Values, reading: FileReading) => Promise<unknown>

/** Sends a form that may have a contact file. `asked`: the refused file for which somebody may choose the sheet or the columns, until another is picked. */
export function useFileSending<Values extends FileValues>(form: Form<Values>, send: Send<Values>) {
  const [failure, setFailure] = useState<unknown>(null)
  const [asked, setAsked] = useState<AskedFile | null>(null)
  const [isSending, setSending] = useState(false)
  form.watch('baseFile', () => setAsked(null))
  const start = async (values: Values, reading: FileReading = {}) => {
    setFailure(null)
    setSending(true)
    try {
      await send(values, reading)
    } catch (error) {
      const refused = askedAbout(values.baseFile, error, reading)
      setAsked(refused)
      if (!refused) setFailure(placeErrors(form, error))
    } finally {
      setSending(false)
    }
  }
  return { failure, asked, isSending, start }
}

type FileFormProps<Values extends FileValues> = {
  form: Form<Values>
  sending: ReturnType<typeof useFileSending<Values>>
  submit: string
  close: () => void
  children: ReactNode
}

export function FileForm<Values extends FileValues>({ form, sending, submit, close, children }: FileFormProps<Values>) {
  const t = useTexts('contactFiles')
  const { failure, asked, isSending, start } = sending
  return (
    <form className={layout.form} onSubmit={form.onSubmit((values) => start(values), focusInvalid(form))} noValidate>
      {children}
      {asked && !isSending && (
        <Suspense fallback={<Loader size="sm" />}>
          <ChooseColumns asked={asked} onUse={(reading) => void start(form.getValues(), reading)} />
        </Suspense>
      )}
      {failure !== null && (
        <p className={classes.bad} role="alert">
          {failureTexts(failure, t.fields).helps.join(' ')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        {asked === null && (
          <Button type="submit" loading={isSending}>
            {submit}
          </Button>
        )}
      </div>
    </form>
  )
}
