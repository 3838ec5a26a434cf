import { Loader } from '@mantine/core'
import { Suspense } from 'react'
import { Segments } from '../../../components/form/Segments.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import { useTexts } from '../../../i18n/language.ts'
import type { BaseUpload } from '../../compose/contacts/base-upload.ts'
import classes from '../../compose/Compose.module.css'
import { PasteFields } from '../../compose/contacts/ContactsSection.tsx'
import type { FormOfCompose } from '../../compose/form.ts'
import { useWatched } from '../../compose/use-watched.ts'
import type { useSmsPreview } from '../queries.ts'

const UploadFields = late(() => import('../../compose/contacts/UploadFields.tsx'))
const StoredField = late(() => import('../../compose/contacts/StoredField.tsx'))
const UploadProgress = late(() => import('../../compose/contacts/UploadProgress.tsx'))
const FileCounts = late(() => import('./FileCounts.tsx'))
void FileCounts.preload()
const ways = ['paste', 'upload', 'stored'] as const

type ContactsProps = { form: FormOfCompose; upload: BaseUpload; preview: ReturnType<typeof useSmsPreview> }

export function Contacts({ form, upload, preview }: ContactsProps) {
  const { contacts: t } = useTexts('compose')
  const from = useWatched(form, 'contactsFrom')
  return (
    <section className={classes.section} aria-labelledby="contacts-title">
      <h3 id="contacts-title">{t.title}</h3>
      <Segments
        label={t.title}
        value={from}
        onChange={(way) => form.setFieldValue('contactsFrom', way)}
        data={ways.map((way) => ({ value: way, label: t.ways[way] }))}
        disabled={upload.progress !== null}
        className={classes.ways}
      />
      {from === 'paste' && <PasteFields form={form} upload={upload} isTable={false} />}
      <Suspense fallback={<Loader size="sm" />}>
        {from === 'upload' && <UploadFields form={form} upload={upload} />}
        {from === 'stored' && <StoredField form={form} />}
      </Suspense>
      <Suspense fallback={null}>
        {upload.progress !== null && <UploadProgress upload={upload} share={upload.progress} />}
        <FileCounts preview={preview} />
      </Suspense>
    </section>
  )
}
