import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { templates, type TemplateId } from '@ghanti/contract/templates.ts'
import { Button, Loader, Progress, SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/Progress.css'
import '@mantine/core/styles/SegmentedControl.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { SelectField } from '../../components/form/SelectField.tsx'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { BaseUpload } from './base-upload.ts'
import classes from './Compose.module.css'
import { StartButton, type WayProps } from './StartButton.tsx'
import type { FormOfCompose } from './form.ts'
import { basesQuery, type usePreview } from './queries.ts'
import { composeTemplateOf } from './templates/table.ts'
import { useWatched } from './watched.ts'

const UploadFields = lazy(() => import('./UploadFields.tsx'))
const ContactsPreview = lazy(() => import('./ContactsPreview.tsx'))
const ways = ['paste', 'upload', 'stored'] as const

type ContactsSectionProps = {
  form: FormOfCompose
  upload: BaseUpload
  preview: ReturnType<typeof usePreview>
  baseId: number | null
}

/** Three ways to say whom to call, and what the server makes of it. */
export function ContactsSection({ form, upload, preview, baseId }: ContactsSectionProps) {
  const { contacts: t } = useTexts('compose')
  const from = useWatched(form, 'contactsFrom')
  const templateName = useWatched(form, 'templateName')
  const templateId = composeTemplateOf(useWatched(form, 'template'))?.sentId({ templateName }) ?? null
  return (
    <section className={classes.section} aria-labelledby="contacts-title">
      <div className={classes.sectionHead}>
        <h2 id="contacts-title">{t.title}</h2>
        <a href={fileAddress(contactRoutes.sample, { sampleName: sampleOf(templateId) })} download>
          {t.sample}
        </a>
      </div>
      <SegmentedControl
        aria-label={t.title}
        value={from}
        onChange={(way) => form.setFieldValue('contactsFrom', ways.find((known) => known === way) ?? 'paste')}
        data={ways.map((way) => ({ value: way, label: t.ways[way] }))}
        disabled={upload.progress !== null}
        className={classes.ways ?? ''}
      />
      {from === 'paste' && <PasteFields form={form} upload={upload} />}
      {from === 'upload' && (
        <Suspense fallback={<Loader size="sm" />}>
          <UploadFields form={form} upload={upload} />
        </Suspense>
      )}
      {from === 'stored' && <StoredField form={form} />}
      {upload.progress !== null && <UploadProgress upload={upload} share={upload.progress} />}
      {baseId !== null && (
        <Suspense fallback={null}>
          <ContactsPreview
            preview={preview}
            values={form.getValues}
            refusedHref={fileAddress(contactRoutes.refusedFile, { baseId, templateId: templateId ?? '' })}
          />
        </Suspense>
      )}
    </section>
  )
}

/** The file that shows the columns of the template. */
function sampleOf(templateId: TemplateId | null): string {
  return `sample_${templateId === null || templateId <= 2 ? 'contacts' : templates[templateId].name}.csv`
}

function PasteFields({ form, upload }: WayProps) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const base = useWatched(form, 'pastedBase')
  // Other numbers are another file.
  form.watch('numbers', () => form.setFieldValue('pastedBase', null))
  return (
    <>
      <TextAreaField
        form={form}
        name="numbers"
        label={t.numbers}
        description={t.numbersHint}
        required
        rows={4}
        inputMode="text"
        autoComplete="off"
        disabled={upload.progress !== null}
      />
      {base ? (
        <p className={classes.kept}>{t.keptPaste(format.count(base.rows))}</p>
      ) : (
        <StartButton upload={upload} label={t.check} />
      )}
    </>
  )
}

function UploadProgress({ upload, share }: { upload: BaseUpload; share: number }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const percent = Math.round(share * 100)
  const text = share < 1 ? t.uploading(format.count(percent)) : t.reading
  return (
    <div className={classes.progress}>
      <Progress value={percent} aria-label={text} animated={share === 1} />
      <span>{text}</span>
      {share < 1 && (
        <Button variant="default" size="xs" onClick={upload.cancel}>
          {t.cancel}
        </Button>
      )}
    </div>
  )
}

function StoredField({ form }: { form: FormOfCompose }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const bases = useQuery(basesQuery(useSession().userId))
  return (
    <SelectField
      form={form}
      name="storedBase"
      label={t.stored}
      required
      data={bases.data?.map(({ baseId, baseName, rows }) => ({
        value: String(baseId),
        label: t.storedRows(baseName, format.count(rows)),
      }))}
      emptyText={t.noneStored}
      loadError={bases.error && !bases.data ? failureTexts(bases.error).message : undefined}
    />
  )
}
