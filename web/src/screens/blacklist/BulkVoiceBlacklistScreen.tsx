import layout from '../../components/form/Form.module.css'
import { blacklistMaxBytes, blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import { Button, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { contactFileTypes } from '../compose/contacts/contact-file-types.ts'
import { CheckSheet } from '../contacts/check/late-parts.ts'
import { askedAbout, type AskedFile, type FileReading } from '../contacts/check/file-reading.ts'
import classes from './Blacklist.module.css'
import { UploadResult } from './UploadResult.tsx'

type UploadForm = { blistFile: File | null }

/** Specification 2 §5; success leads to the list and reports each row. */
export default function BulkVoiceBlacklistScreen() {
  const t = useTexts('blacklist')
  const format = useFormat()
  const navigate = useNavigate()
  /** The share sent, 0 to 1; null when idle. */
  const [sent, setSent] = useState<number | null>(null)
  /** A refused file for which somebody may choose the sheet or the columns. */
  const [asked, setAsked] = useState<AskedFile | null>(null)
  const form = useForm<UploadForm>({
    mode: 'uncontrolled',
    initialValues: { blistFile: null },
    validate: { blistFile: (file) => (file ? null : 'is required') },
  })

  form.watch('blistFile', () => setAsked(null))

  const save = async ({ blistFile }: UploadForm, reading: FileReading = {}) => {
    if (!blistFile) return
    setSent(0)
    try {
      const sent = { askColumns: 'yes' as const, ...reading }
      const result = await call(blacklistRoutes.upload, sent, { files: { blistFile }, onProgress: setSent })
      void refresh(blacklistRoutes.list)
      setAsked(null)
      await navigate('/voice-blacklist')
      showDialog({ title: t.result.title, size: 'lg', render: () => <UploadResult result={result} /> })
    } catch (error) {
      const refused = askedAbout(blistFile, error, reading)
      setAsked(refused)
      if (!refused) throw error
    } finally {
      setSent(null)
    }
  }

  const refused = { labels: { blistFile: t.bulk.file }, failure: true } as const
  const use = (reading: FileReading) => saving(form, (values) => save(values, reading), refused)()
  return (
    <Page title={t.bulk.title}>
      <form className={layout.form} onSubmit={saving(form, (values) => save(values), refused)} noValidate>
        <FileField
          form={form}
          name="blistFile"
          label={t.bulk.file}
          description={t.bulk.hint(format.count(blacklistMaxBytes / mebibyte))}
          required
          accept={contactFileTypes}
          maxBytes={blacklistMaxBytes}
        />
        {sent !== null && (
          <p className={classes.progress} role="status">
            {sent < 1 ? t.bulk.sending(format.count(Math.floor(sent * 100))) : t.bulk.storing}
            <progress max={1} value={sent < 1 ? sent : undefined} aria-label={t.bulk.title} />
          </p>
        )}
        {asked && sent === null && (
          <Suspense fallback={<Loader size="sm" />}>
            <CheckSheet asked={asked} onUse={use} isList />
          </Suspense>
        )}
        <div className={asked === null ? layout.buttons : undefined} hidden={asked !== null}>
          <Button type="submit" loading={sent !== null}>
            {t.bulk.submit}
          </Button>
        </div>
      </form>
    </Page>
  )
}
