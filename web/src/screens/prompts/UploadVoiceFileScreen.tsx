import layout from '../../components/form/Form.module.css'
import { promptMaxBytes, promptRoutes, promptSecondsMax } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { mebibyte, nameMax } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { FileField } from '../../components/form/FileField.tsx'
import { useNamedAfterFile } from '../../components/form/named-after-file.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showSuccess } from '../../components/ui/dialogs.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './PromptsTable.module.css'
import { late } from '../../components/ui/late.tsx'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(promptRoutes.categories, {})))

const CategoryPicker = late(() => import('./CategoryPicker.tsx'))

export type UploadForm = { waveFile: File | null; promptCategory: PromptCategory | null; fileName: string }
const blank: UploadForm = { waveFile: null, promptCategory: null, fileName: '' }
const required = (value: unknown) => (value ? null : 'is required')

/** File, category and file name are required (specification 1 §5); success leads to the list. */
export default function UploadVoiceFileScreen() {
  const t = useTexts('prompts')
  const format = useFormat()
  const navigate = useNavigate()
  const upload = useWrite(promptRoutes.upload, [promptRoutes.list])
  const form = useForm<UploadForm>({
    mode: 'uncontrolled',
    initialValues: blank,
    validate: { waveFile: required, promptCategory: required, fileName: (name) => required(name.trim()) },
  })

  const nameAfter = useNamedAfterFile(form, 'fileName')
  const labels = { waveFile: t.upload.file, promptCategory: t.upload.category, fileName: t.upload.name }
  const send = async ({ waveFile, promptCategory, fileName }: UploadForm) => {
    if (!waveFile || !promptCategory) return
    await upload.mutateAsync({ input: { fileName: fileName.trim(), promptCategory }, files: { waveFile } })
    showSuccess(t.upload.done, () => void navigate('/voice-files'))
  }

  return (
    <Page title={t.uploadTitle}>
      <form className={layout.form} onSubmit={saving(form, send, { labels })} noValidate>
        <FileField
          form={form}
          name="waveFile"
          label={t.upload.file}
          description={t.upload.fileHint(format.count(promptMaxBytes / mebibyte), format.count(promptSecondsMax))}
          required
          accept=".wav,audio/wav,audio/x-wav,audio/wave"
          maxBytes={promptMaxBytes}
          onPick={nameAfter}
        />
        <Suspense fallback={<div className={classes.picker} aria-busy />}>
          <CategoryPicker form={form} />
        </Suspense>
        <TextField
          form={form}
          name="fileName"
          label={t.upload.name}
          description={t.upload.nameHint}
          required
          maxLength={nameMax}
          autoComplete="off"
        />
        <div>
          <Button type="submit" loading={upload.isPending}>
            {t.upload.submit}
          </Button>
        </div>
      </form>
    </Page>
  )
}
