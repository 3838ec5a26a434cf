import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { useEffect, useRef, useState } from 'react'
import type { RefusedFile } from '@ghanti/contract/refused.ts'
import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { refresh } from '../../../api/query.ts'
import { focusInvalid, placeErrors } from '../../../components/form/server-errors.ts'
import { showFailure } from '../../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../../i18n/language.ts'
import { askedAbout, type AskedFile, type FileReading } from '../../contacts/check/file-reading.ts'
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
  /** A refused file of which the server may be told the sheet or the columns, for this upload alone. */
  asked: AskedFile | null
  /** Pasted rows that were refused, until others are pasted. */
  refusedPaste: RefusedFile | null
  use: (reading: FileReading) => void
}

/** Stores pasted numbers or a file once, and keeps the result while the form is corrected. */
export function useBaseUpload(form: FormOfCompose): BaseUpload {
  const { contacts } = useTexts('compose')
  const [progress, setProgress] = useState<number | null>(null)
  const controller = useRef<AbortController | null>(null)
  const [asked, setAsked] = useState<AskedFile | null>(null)
  const [refusedPaste, setRefusedPaste] = useState<RefusedFile | null>(null)
  form.watch('file', () => setAsked(null))
  form.watch('numbers', () => setRefusedPaste(null))

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
      else refused(error, values, reading)
      return null
    } finally {
      controller.current = null
      setProgress(null)
    }
  }

  const refused = (error: unknown, { contactsFrom, file }: ComposeForm, reading: FileReading) => {
    const refusedFile = contactsFrom === 'upload' ? askedAbout(file, error, reading) : null
    setAsked(refusedFile)
    if (refusedFile) return
    setRefusedPaste((error instanceof ApiError && error.file) || null)
    const rest = placeErrors(form, error, fieldOf)
    if (rest !== null)
      showFailure(rest, { contactList: contacts.numbers, baseFile: contacts.file, baseName: contacts.baseName })
  }

  return {
    progress,
    start: () => start(),
    cancel: () => controller.current?.abort(),
    asked,
    refusedPaste,
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
