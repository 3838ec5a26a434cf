import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { jsonQuery, queryClient, refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { freeName, useNamedAfterFile } from '../../components/form/files/named-after-file.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file.ts'
import { FileForm, useFileSending } from './FileForm.tsx'

const missing = 'is required'
/** Dialogs do not know the session, so the files' owner is passed in. */
type UploadContactsProps = { userId: number; close: () => void; onStored: (baseId: number) => void }
type Values = { baseFile: File | null; baseName: string }

/** Stores a contact file without a campaign. `onStored` leads to its page, which shows what it contains. */
export default function UploadContacts({ userId, close, onStored }: UploadContactsProps) {
  const t = useTexts('contactFiles')
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { baseFile: null, baseName: '' },
    validate: { baseFile: (picked) => (picked ? null : missing), baseName: (name) => (name.trim() ? null : missing) },
  })
  const stored = () => queryClient.getQueryData(jsonQuery(contactRoutes.bases, { userId }).queryKey) ?? []
  const picked = useNamedAfterFile(form, 'baseName', {
    free: (name) =>
      freeName(
        name,
        stored().map(({ baseName }) => baseName),
      ),
  })

  const sending = useFileSending(form, async ({ baseFile, baseName }, reading) => {
    if (!baseFile) return
    const sent = { baseName: baseName.trim(), askColumns: 'yes' as const, ...reading }
    const { baseId } = await call(contactRoutes.baseUpload, sent, { files: { baseFile } })
    void refresh(contactRoutes.bases)
    close()
    onStored(baseId)
  })

  return (
    <FileForm form={form} sending={sending} submit={t.upload.submit} close={close}>
      <FileField
        form={form}
        name="baseFile"
        label={t.fields.baseFile}
        description={t.upload.hint}
        required
        accept={contactFileTypes}
        maxBytes={contactsMaxBytes}
        onPick={picked}
        disabled={sending.isSending}
      />
      <TextField
        form={form}
        name="baseName"
        label={t.fields.baseName}
        required
        maxLength={nameMax}
        autoComplete="off"
      />
    </FileForm>
  )
}
