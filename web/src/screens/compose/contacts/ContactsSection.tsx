import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { spokenColumns } from '@ghanti/contract/templates.ts'
import { Loader } from '@mantine/core'
import { Suspense } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { Segments } from '../../../components/form/Segments.tsx'
import { TextAreaField } from '../../../components/form/TextField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { RefusedRows } from '../../contacts/check/late-parts.ts'
import type { BaseUpload } from './base-upload.ts'
import classes from '../Compose.module.css'
import { StartButton, type WayProps } from './StartButton.tsx'
import type { FormOfCompose } from '../form.ts'
import type { usePreview } from '../queries.ts'
import { composeTemplateOf } from '../templates/table.ts'
import { useWatched } from '../use-watched.ts'
import { late } from '../../../components/ui/loading/late.tsx'

const UploadFields = late(() => import('./UploadFields.tsx'))
const StoredField = late(() => import('./StoredField.tsx'))
const UploadProgress = late(() => import('./UploadProgress.tsx'))
const ContactsPreview = late(() => import('./ContactsPreview.tsx'))
const ways = ['paste', 'upload', 'stored'] as const

type ContactsSectionProps = {
  form: FormOfCompose
  upload: BaseUpload
  preview: ReturnType<typeof usePreview>
  baseId: number | null
}

export function ContactsSection({ form, upload, preview, baseId }: ContactsSectionProps) {
  const { contacts: t } = useTexts('compose')
  const from = useWatched(form, 'contactsFrom')
  const templateName = useWatched(form, 'templateName')
  const template = composeTemplateOf(useWatched(form, 'template'))
  const templateId = template?.sentId({ templateName }) ?? null
  const columns = spokenColumns(templateId ?? 0).map(({ column }) => column)
  const saysDates = spokenColumns(templateId ?? 0).some(({ kind }) => kind === 'date')
  return (
    <section className={classes.section} aria-labelledby="contacts-title">
      <div className={classes.sectionHead}>
        <h3 id="contacts-title">{t.title}</h3>
        <a
          href={fileAddress(contactRoutes.sample, {
            sampleName: `sample_${template?.sample({ templateName }) ?? 'contacts'}.csv`,
          })}
          download
        >
          {t.sample}
        </a>
      </div>
      <Segments
        label={t.title}
        value={from}
        onChange={(way) => form.setFieldValue('contactsFrom', way)}
        data={ways.map((way) => ({ value: way, label: t.ways[way] }))}
        disabled={upload.progress !== null}
        className={classes.ways}
      />
      {columns.length > 0 && <p className={classes.hint}>{t.columns(['mobile', ...columns].join(', '))}</p>}
      {from === 'paste' && <PasteFields form={form} upload={upload} isTable={columns.length > 0} />}
      <Suspense fallback={<Loader size="sm" />}>
        {from === 'upload' && <UploadFields form={form} upload={upload} wanted={columns} />}
        {from === 'stored' && <StoredField form={form} />}
      </Suspense>
      <Suspense fallback={null}>
        {upload.progress !== null && <UploadProgress upload={upload} share={upload.progress} />}
      </Suspense>
      {baseId !== null && (
        <Suspense fallback={null}>
          <ContactsPreview
            baseId={baseId}
            wanted={columns}
            preview={preview}
            values={form.getValues}
            saysDates={saysDates}
            refusedHref={fileAddress(contactRoutes.refusedFile, { baseId, templateId: templateId ?? '' })}
          />
        </Suspense>
      )}
    </section>
  )
}

/** `isTable`: the template needs columns besides the number. */
export function PasteFields({ form, upload, isTable }: WayProps & { isTable: boolean }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const base = useWatched(form, 'pastedBase')
  form.watch('numbers', () => form.setFieldValue('pastedBase', null))
  return (
    <>
      <TextAreaField
        form={form}
        name="numbers"
        label={t.numbers}
        description={isTable ? t.rowsHint : t.numbersHint}
        required
        rows={4}
        inputMode="text"
        autoComplete="off"
        disabled={upload.progress !== null}
      />
      {upload.refusedPaste && (
        <Suspense fallback={null}>
          <RefusedRows refused={upload.refusedPaste.refused} />
        </Suspense>
      )}
      {base ? (
        <p className={classes.kept}>{t.keptPaste(format.count(base.rows))}</p>
      ) : (
        <StartButton upload={upload} label={t.check} />
      )}
    </>
  )
}
