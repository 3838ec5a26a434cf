import { useState } from 'react'
import type { Form } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import type { FileReading } from './check/file-reading.ts'

type FileValues = { baseFile: File | null }

/** Sends a form that may have a contact file, read as it was checked. `file`: the one that is picked. */
export function useFileForm<Values extends FileValues>(
  form: Form<Values>,
  send: (values: Values, reading: FileReading) => Promise<unknown>,
) {
  const [failure, setFailure] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  const [file, setFile] = useState(() => form.getValues().baseFile)
  form.watch('baseFile', () => {
    setFile(form.getValues().baseFile)
    setFailure(null)
  })
  const start = async (values: Values, reading: FileReading) => {
    setFailure(null)
    setSending(true)
    try {
      await send(values, reading)
    } catch (error) {
      setFailure(placeErrors(form, error))
    } finally {
      setSending(false)
    }
  }
  const submit = (reading: FileReading = {}) =>
    form.onSubmit((values) => void start(values, reading), focusInvalid(form))()
  return { failure, isSending, file, submit }
}
