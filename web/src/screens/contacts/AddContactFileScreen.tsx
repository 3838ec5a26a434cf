import { contactRoutes, contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { freeName, useNamedAfterFile } from '../../components/form/files/named-after-file.ts'
import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file-types.ts'
import { CheckedFile, NotSent } from './CheckedFile.tsx'
import { newFile, noFile, type NewFile } from './new-file.ts'
import { dropForm, keepForm, keptForm } from './kept-form.ts'
import { useFileForm } from './use-file-form.ts'
import classes from './ContactFiles.module.css'

const AddRows = late(() => import('./AddRows.tsx'))

const missing = 'is required'

export const loader = screenLoader(({ userId, prefetch }) => void prefetch(jsonQuery(contactRoutes.bases, { userId })))

/** /add-contact-file, or ?to={baseId}, which adds rows to a stored file. */
export default function AddContactFileScreen() {
  const [params] = useSearchParams()
  const to = Number(params.get('to') ?? 0)
  if (to === 0) return <NewFilePage />
  return (
    <Suspense fallback={<div aria-busy />}>
      <AddRows baseId={to} />
    </Suspense>
  )
}

/** Checks a file before it is stored as a contact file, without a campaign. What was picked and typed stays when the page is left. */
function NewFilePage() {
  const t = useTexts('contactFiles')
  const { userId } = useSession()
  const navigate = useNavigate()
  const { data: stored = [] } = useQuery(jsonQuery(contactRoutes.bases, { userId }))
  const { problem = null, ...kept } = keptForm<NewFile>(newFile) ?? noFile
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: kept,
    initialErrors: { baseFile: problem },
    validate: { baseFile: (picked) => (picked ? null : missing), baseName: (name) => (name.trim() ? null : missing) },
    onValuesChange: (values) => keepForm<NewFile>(newFile, values),
  })
  const namedAfter = useNamedAfterFile(form, 'baseName', {
    free: (name) =>
      freeName(
        name,
        stored.map(({ baseName }) => baseName),
      ),
    givenIn: 'givenName',
  })
  const { failure, isSending, file, submit } = useFileForm(form, async ({ baseFile, baseName }, reading) => {
    if (!baseFile) return
    const { baseId } = await call(
      contactRoutes.baseUpload,
      { baseName: baseName.trim(), ...reading },
      { files: { baseFile } },
    )
    dropForm(newFile)
    void refresh(contactRoutes.bases)
    await navigate(`/contact-files/${baseId}`, { replace: true })
  })
  return (
    <Page title={t.upload.title}>
      <div className={classes.parts}>
        <form className={layout.form} onSubmit={(event) => event.preventDefault()} noValidate>
          <FileField
            form={form}
            name="baseFile"
            label={t.fields.baseFile}
            description={t.upload.hint}
            required
            accept={contactFileTypes}
            maxBytes={contactsMaxBytes}
            onPick={namedAfter}
            disabled={isSending}
          />
          {file && (
            <TextField
              form={form}
              name="baseName"
              label={t.fields.baseName}
              required
              maxLength={nameMax}
              autoComplete="off"
            />
          )}
        </form>
        {file && <CheckedFile file={file} submit={t.upload.submit} isSending={isSending} onUse={submit} />}
        <NotSent failure={failure} />
      </div>
    </Page>
  )
}
