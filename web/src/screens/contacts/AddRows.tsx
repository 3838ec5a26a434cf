import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/FileField.tsx'
import layout from '../../components/form/Form.module.css'
import { Segments } from '../../components/form/Segments.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contact-file.ts'
import { AddedRows } from './AddedRows.tsx'
import { ChooseColumns } from './choose-columns.ts'
import classes from './ContactFiles.module.css'
import { mustBeAsked, type FileReading } from './file-reading.ts'

type AddRowsProps = { file: { baseId: number; baseName: string }; close: () => void }
type Values = { way: 'paste' | 'upload'; contactList: string; baseFile: File | null }
const ways = ['paste', 'upload'] as const
const missing = 'is required'

/** Adds numbers or a file's rows to a stored contact file, and reports what happened to each. */
export default function AddRows({ file, close }: AddRowsProps) {
  const t = useTexts('contactFiles')
  const [result, setResult] = useState<ReplyOf<typeof contactRoutes.add> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [asked, setAsked] = useState<File | null>(null)
  const [way, setWay] = useState<Values['way']>('paste')
  const [isSending, setSending] = useState(false)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { way: 'paste', contactList: '', baseFile: null },
    validate: {
      contactList: (text, { way }) => (way === 'paste' && text.trim() === '' ? missing : null),
      baseFile: (picked, { way }) => (way === 'upload' && !picked ? missing : null),
    },
  })
  form.watch('baseFile', () => setAsked(null))

  const send = async ({ contactList, baseFile }: Values, reading: FileReading = {}) => {
    setFailure(null)
    setSending(true)
    const pasted = new File([contactList], 'numbers.txt', { type: 'text/plain' })
    const files = way === 'paste' ? { contactList: pasted } : { ...(baseFile && { baseFile }) }
    try {
      setResult(await call(contactRoutes.add, { baseId: file.baseId, askColumns: 'yes', ...reading }, { files }))
      void refresh(contactRoutes.bases, contactRoutes.detail)
    } catch (error) {
      if (mustBeAsked(error)) setAsked(baseFile)
      else setFailure(placeErrors(form, error))
    } finally {
      setSending(false)
    }
  }
  const save = form.onSubmit((values) => send(values), focusInvalid(form))

  if (result) return <AddedRows name={file.baseName} result={result} close={close} />
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <Segments
        label={t.add.title(file.baseName)}
        value={way}
        onChange={(chosen) => {
          setWay(chosen)
          form.setFieldValue('way', chosen)
        }}
        data={ways.map((value) => ({ value, label: t.add.ways[value] }))}
        disabled={isSending}
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
            {t.add.submit}
          </Button>
        )}
      </div>
    </form>
  )
}
