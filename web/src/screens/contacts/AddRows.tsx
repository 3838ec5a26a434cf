import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { Segments } from '../../components/form/Segments.tsx'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file.ts'
import { AddedRows } from './AddedRows.tsx'
import { FileForm, useFileSending } from './FileForm.tsx'

type AddRowsProps = { file: { baseId: number; baseName: string }; close: () => void }
type Values = { way: 'paste' | 'upload'; contactList: string; baseFile: File | null }
const ways = ['paste', 'upload'] as const
const missing = 'is required'

export default function AddRows({ file, close }: AddRowsProps) {
  const t = useTexts('contactFiles')
  const [result, setResult] = useState<ReplyOf<typeof contactRoutes.add> | null>(null)
  const [way, setWay] = useState<Values['way']>('paste')
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { way: 'paste', contactList: '', baseFile: null },
    validate: {
      contactList: (text, { way }) => (way === 'paste' && text.trim() === '' ? missing : null),
      baseFile: (picked, { way }) => (way === 'upload' && !picked ? missing : null),
    },
  })
  const sending = useFileSending(form, async ({ contactList, baseFile }, reading) => {
    const pasted = new File([contactList], 'numbers.txt', { type: 'text/plain' })
    const files = way === 'paste' ? { contactList: pasted } : { ...(baseFile && { baseFile }) }
    const asking = way === 'upload' ? ({ askColumns: 'yes', ...reading } as const) : {}
    setResult(await call(contactRoutes.add, { baseId: file.baseId, ...asking }, { files }))
    void refresh(contactRoutes.bases, contactRoutes.detail)
  })

  if (result) return <AddedRows file={file} result={result} close={close} />
  return (
    <FileForm form={form} sending={sending} submit={t.add.submit} close={close}>
      <Segments
        label={t.add.title(file.baseName)}
        value={way}
        onChange={(chosen) => {
          setWay(chosen)
          form.setFieldValue('way', chosen)
        }}
        data={ways.map((value) => ({ value, label: t.add.ways[value] }))}
        disabled={sending.isSending}
      />
      {way === 'paste' ? (
        <TextAreaField
          form={form}
          name="contactList"
          label={t.fields.contactList}
          description={t.add.numbersHint}
          required
          rows={5}
          autoComplete="off"
        />
      ) : (
        <FileField
          form={form}
          name="baseFile"
          label={t.fields.baseFile}
          description={t.add.fileHint}
          required
          accept={contactFileTypes}
          maxBytes={contactsMaxBytes}
        />
      )}
    </FileForm>
  )
}
