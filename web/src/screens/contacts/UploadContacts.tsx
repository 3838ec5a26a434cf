import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { Button, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, queryClient, refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/FileField.tsx'
import layout from '../../components/form/Form.module.css'
import { freeName, useNamedAfterFile } from '../../components/form/named-after-file.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contact-file.ts'
import { ChooseColumns } from './choose-columns.ts'
import classes from './ContactFiles.module.css'
import { mustBeAsked, type FileReading } from './file-reading.ts'

const missing = 'is required'
/** Dialogs do not know the session, so the files' owner is passed in. */
type UploadContactsProps = { userId: number; close: () => void; onStored: (baseId: number) => void }
type Values = { baseFile: File | null; baseName: string }

/** Stores a contact file without a campaign. `onStored` leads to its page, which shows what it contains. */
export default function UploadContacts({ userId, close, onStored }: UploadContactsProps) {
  const t = useTexts('contactFiles')
  const [failure, setFailure] = useState<unknown>(null)
  const [asked, setAsked] = useState<File | null>(null)
  const [isSending, setSending] = useState(false)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { baseFile: null, baseName: '' },
    validate: { baseFile: (picked) => (picked ? null : missing), baseName: (name) => (name.trim() ? null : missing) },
  })
  form.watch('baseFile', () => setAsked(null))
  const stored = () => queryClient.getQueryData(jsonQuery(contactRoutes.bases, { userId }).queryKey) ?? []
  const picked = useNamedAfterFile(form, 'baseName', (name) =>
    freeName(
      name,
      stored().map(({ baseName }) => baseName),
    ),
  )

  const send = async ({ baseFile, baseName }: Values, reading: FileReading = {}) => {
    if (!baseFile) return
    setFailure(null)
    setSending(true)
    try {
      const sent = { baseName: baseName.trim(), askColumns: 'yes' as const, ...reading }
      const { baseId } = await call(contactRoutes.baseUpload, sent, { files: { baseFile } })
      void refresh(contactRoutes.bases)
      close()
      onStored(baseId)
    } catch (error) {
      if (mustBeAsked(error)) setAsked(baseFile)
      else setFailure(placeErrors(form, error))
    } finally {
      setSending(false)
    }
  }

  return (
    <form className={layout.form} onSubmit={form.onSubmit((values) => send(values), focusInvalid(form))} noValidate>
      <FileField
        form={form}
        name="baseFile"
        label={t.fields.baseFile}
        description={t.upload.hint}
        required
        accept={contactFileTypes}
        maxBytes={contactsMaxBytes}
        onPick={picked}
        disabled={isSending}
      />
      <TextField
        form={form}
        name="baseName"
        label={t.fields.baseName}
        required
        maxLength={nameMax}
        autoComplete="off"
      />
      {asked && !isSending && (
        <Suspense fallback={<Loader size="sm" />}>
          <ChooseColumns file={asked} onUse={(reading) => void send(form.getValues(), reading)} />
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
            {t.upload.submit}
          </Button>
        )}
      </div>
    </form>
  )
}
