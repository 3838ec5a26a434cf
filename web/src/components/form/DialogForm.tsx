import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Failure } from '../ui/failures/Failure.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import type { Form } from './field.ts'
import layout from './Form.module.css'
import { focusInvalid, placeErrors } from './server-errors.ts'

type DialogFormProps<Values extends Record<string, unknown>> = {
  form: Form<Values>
  /** Rejects with the server's error, which is shown at its fields or below them. */
  save: (values: Values) => Promise<unknown>
  submit: string
  cancel: string
  close: () => void
  /** Above a failure that belongs to no field. */
  failed?: string
  /** Form fields by wire name, where they differ. */
  fields?: Parameters<typeof placeErrors<Values>>[2]
  /** Form names and their labels, of a form long enough for a summary of its errors. */
  labels?: Readonly<Record<string, string>>
  children: ReactNode
}

export function DialogForm<Values extends Record<string, unknown>>(props: DialogFormProps<Values>) {
  const { form, save, submit, cancel, close, failed, fields, labels, children } = props
  const [failure, setFailure] = useState<unknown>(null)
  const send = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      await save(values)
    } catch (error) {
      setFailure(placeErrors(form, error, fields))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={send} noValidate>
      {children}
      {labels && <ErrorSummary form={form} labels={labels} />}
      {failure !== null && <Failure error={failure} {...(failed !== undefined && { title: failed })} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
