import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import layout from '../../components/form/Form.module.css'
import { Segments } from '../../components/form/Segments.tsx'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file-types.ts'
import { AddedRows } from './AddedRows.tsx'
import { CheckedFile, NotSent } from './CheckedFile.tsx'
import { dropForm, keepForm, keptForm } from './kept-form.ts'
import { useFileForm } from './use-file-form.ts'
import classes from './ContactFiles.module.css'

type Values = { way: 'paste' | 'upload'; contactList: string; baseFile: File | null }
const ways = ['paste', 'upload'] as const
const blank: Values = { way: 'paste', contactList: '', baseFile: null }
const missing = 'is required'

/** Adds rows to a contact file: pasted numbers, or those of another file after it was checked. */
export default function AddRows({ baseId }: { baseId: number }) {
  const t = useTexts('contactFiles')
  const file = useQuery(jsonQuery(contactRoutes.detail, { baseId }))
  if (file.data) return <Adding key={baseId} file={file.data} />
  return (
    <Page title={t.add.button}>
      {file.error ? <Failure error={file.error} onRetry={() => void file.refetch()} /> : <Loader size="sm" />}
    </Page>
  )
}

function Adding({ file: { baseId, baseName } }: { file: { baseId: number; baseName: string } }) {
  const t = useTexts('contactFiles')
  const navigate = useNavigate()
  const name = `rows of ${baseId}`
  const [kept] = useState(() => keptForm<Values>(name) ?? blank)
  const [result, setResult] = useState<ReplyOf<typeof contactRoutes.add> | null>(null)
  const [way, setWay] = useState(kept.way)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: kept,
    validate: {
      contactList: (text, { way }) => (way === 'paste' && text.trim() === '' ? missing : null),
      baseFile: (picked, { way }) => (way === 'upload' && !picked ? missing : null),
    },
    onValuesChange: (values) => keepForm(name, values),
  })
  const sending = useFileForm(form, async ({ way, contactList, baseFile }, reading) => {
    const pasted = new File([contactList], 'numbers.txt', { type: 'text/plain' })
    const files = way === 'paste' ? { contactList: pasted } : { ...(baseFile && { baseFile }) }
    setResult(await call(contactRoutes.add, { baseId, ...(way === 'upload' && reading) }, { files }))
    dropForm(name)
    void refresh(contactRoutes.bases, contactRoutes.detail)
  })
  const { failure, isSending, file, submit } = sending
  const title = t.add.title(baseName)
  const leave = () => void navigate(`/contact-files/${baseId}`)
  if (result)
    return (
      <Page title={title}>
        <AddedRows file={{ baseId, baseName }} result={result} close={leave} />
      </Page>
    )
  return (
    <Page title={title}>
      <div className={classes.parts}>
        <form
          className={layout.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (way === 'paste') submit()
          }}
          noValidate
        >
          <Segments
            label={title}
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
              rows={8}
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
          <NotSent failure={failure} />
          {way === 'paste' && (
            <div className={classes.buttons}>
              <Button variant="default" onClick={leave}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={isSending}>
                {t.add.submit}
              </Button>
            </div>
          )}
        </form>
        {way === 'upload' && file && (
          <CheckedFile file={file} submit={t.add.submit} isSending={isSending} onUse={submit} />
        )}
      </div>
    </Page>
  )
}
