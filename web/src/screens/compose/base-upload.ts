import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { showFailure } from '../../components/ui/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { baseIdOf, type Base, type ComposeForm, type FormOfCompose } from './form.ts'
import { contactFields, problemsIn } from './validate.ts'

const fieldOf = { contactList: 'numbers', baseFile: 'file', baseName: 'baseName' } as const

export type BaseUpload = {
  /** The share sent, 0 to 1; null when idle. */
  progress: number | null
  /** The contact file's id, uploading it first if needed; null when that failed, with the error at its field. */
  start: () => Promise<number | null>
  /** Only during the transfer: what has arrived whole is kept by the server. */
  cancel: () => void
}

/** Stores pasted numbers or a file once, and keeps the result while the form is corrected. */
export function useBaseUpload(form: FormOfCompose): BaseUpload {
  const { contacts } = useTexts('compose')
  const [progress, setProgress] = useState<number | null>(null)
  const controller = useRef<AbortController | null>(null)

  useEffect(() => () => controller.current?.abort(), [])

  const start = async (): Promise<number | null> => {
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
      const base = await send(values, signal, setProgress)
      form.setFieldValue(values.contactsFrom === 'paste' ? 'pastedBase' : 'uploadedBase', base)
      void refresh(contactRoutes.bases)
      return base.baseId
    } catch (error) {
      if (signal.aborted) form.setFieldError(values.contactsFrom === 'paste' ? 'numbers' : 'file', contacts.cancelled)
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

  return { progress, start, cancel: () => controller.current?.abort() }
}

async function send(values: ComposeForm, signal: AbortSignal, onProgress: (share: number) => void): Promise<Base> {
  const more = { signal, onProgress }
  if (values.contactsFrom === 'paste') {
    const contactList = new File([values.numbers], 'numbers.txt', { type: 'text/plain' })
    const base = await call(contactRoutes.paste, {}, { ...more, files: { contactList } })
    return { ...base, name: '' }
  }
  const files = values.file ? { baseFile: values.file } : {}
  const name = values.baseName.trim()
  const base = await call(contactRoutes.baseUpload, { baseName: name }, { ...more, files })
  return { ...base, name }
}
