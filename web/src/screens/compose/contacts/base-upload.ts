import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { focusInvalid, placeErrors } from '../../../components/form/server-errors.ts'
import { showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../../i18n/language.ts'
import { mustBeAsked, type FileReading } from '../../contacts/file-reading.ts'
import { baseIdOf, type Base, type ComposeForm, type FormOfCompose } from '../form.ts'
import { contactFields, problemsIn } from '../validate.ts'

const fieldOf = { contactList: 'numbers', baseFile: 'file', baseName: 'baseName' } as const

export type BaseUpload = {
  /** The share sent, 0 to 1; null when idle. */
  progress: number | null
  /** The contact file's id, uploading it first if needed; null when that failed, with the error at its field. */
  start: () => Promise<number | null>
  /** Only during the transfer: what has arrived whole is kept by the server. */
  cancel: () => void
  /** A file of which the server must be told the sheet or the columns, for this upload alone; null when it need not. */
  asked: File | null
  use: (reading: FileReading) => void
}

/** Stores pasted numbers or a file once, and keeps the result while the form is corrected. */
export function useBaseUpload(form: FormOfCompose): BaseUpload {
  const { contacts } = useTexts('compose')
  const [progress, setProgress] = useState<number | null>(null)
  const controller = useRef<AbortController | null>(null)
  const [asked, setAsked] = useState<File | null>(null)
  form.watch('file', () => setAsked(null))

  useEffect(() => () => controller.current?.abort(), [])

  const start = async (reading: FileReading = {}): Promise<number | null> => {
    const values = form.getValues()
    const known = baseIdOf(values)
    if (known !== null || values.contactsFrom === 'stored' || controller.current) return known
    const problems = problemsIn(contactFields(values), values)
    if (Object.keys(problems).length > 0) {
      form.setErrors(problems)
      focusInvalid(form)(problems)
      return null
    }
    for (const field of Object.values(fieldOf)) form.clearFieldError(field)
    const { signal } = (controller.current = new AbortController())
    setProgress(0)
    try {
      const base = await send(values, reading, { signal, onProgress: setProgress })
      setAsked(null)
      form.setFieldValue(values.contactsFrom === 'paste' ? 'pastedBase' : 'uploadedBase', base)
      void refresh(contactRoutes.bases)
      return base.baseId
    } catch (error) {
      if (signal.aborted) form.setFieldError(values.contactsFrom === 'paste' ? 'numbers' : 'file', contacts.cancelled)
      else if (mustBeAsked(error)) setAsked(values.file)
      else refused(error)
      return null
    } finally {
      controller.current = null
      setProgress(null)
    }
  }

  const refused = (error: unknown) => {
    const rest = placeErrors(form, error, fieldOf)
    if (rest !== null)
      showFailure(rest, { contactList: contacts.numbers, baseFile: contacts.file, baseName: contacts.baseName })
  }

  return {
    progress,
    start: () => start(),
    cancel: () => controller.current?.abort(),
    asked,
    use: (reading) => void start(reading),
  }
}

type More = { signal: AbortSignal; onProgress: (share: number) => void }

async function send(values: ComposeForm, reading: FileReading, more: More): Promise<Base> {
  if (values.contactsFrom === 'paste') {
    const contactList = new File([values.numbers], 'numbers.txt', { type: 'text/plain' })
    const base = await call(contactRoutes.paste, {}, { ...more, files: { contactList } })
    return { ...base, name: '' }
  }
  const files = values.file ? { baseFile: values.file } : {}
  const name = values.baseName.trim()
  const sent = { baseName: name, askColumns: 'yes' as const, ...reading }
  const base = await call(contactRoutes.baseUpload, sent, { ...more, files })
  return { ...base, name }
}
