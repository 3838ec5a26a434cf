import layout from '../../components/form/Form.module.css'
import { cliChannelsDefault, cliFileMaxBytes, lineRoutes, type CliUploaded } from '@ghanti/contract/lines.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { Link, useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { listQuery } from '../../api/query.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { refreshClis } from './actions.tsx'
import type { UploadValues } from './upload-form.ts'
import { Uploaded } from './Uploaded.tsx'
import { late } from '../../components/ui/loading/late.tsx'

// Their controls are large, so the file field does not wait for them.
const UploadFields = late(() => import('./UploadFields.tsx'))

export const loader = screenLoader(
  ({ prefetch }) => void prefetch(listQuery(trunkRoutes.list, {}, { pageSize: 1000, sort: 'trunkName' })),
)

const blank: UploadValues = { cliFile: null, uploadType: 'new', pool: 'shared', trunkName: null }

/** A file of new CLIs, or of CLIs that move to another trunk. Reports each line, then leads to the list. */
export default function UploadCliScreen() {
  const { upload: t, fields } = useTexts('clis')
  const common = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const form = useForm<UploadValues>({
    mode: 'uncontrolled',
    initialValues: blank,
    validate: { cliFile: (file) => (file ? null : 'is required') },
  })
  const report = (uploaded: CliUploaded) =>
    showDialog({
      title: common.dialog.success,
      size: 'lg',
      render: (close) => (
        <Uploaded
          uploaded={uploaded}
          onSeen={() => {
            close()
            void navigate('/cli-list')
          }}
        />
      ),
    })
  const save = async ({ cliFile, trunkName, ...how }: UploadValues) => {
    if (!cliFile) return
    const sent = { ...how, trunkName: trunkName ?? undefined }
    const uploaded = await call(lineRoutes.upload, sent, { files: { cliFile } })
    await refreshClis()
    report(uploaded)
  }
  return (
    <Page title={t.title}>
      <form className={layout.form} onSubmit={saving(form, save, { labels: fields, failure: true })} noValidate>
        <FileField
          form={form}
          name="cliFile"
          label={fields.cliFile}
          description={t.fileHint(format.count(cliFileMaxBytes / mebibyte), format.count(cliChannelsDefault))}
          required
          accept=".csv,.txt,text/csv,text/plain"
          maxBytes={cliFileMaxBytes}
        />
        <Suspense fallback={<div className={lines.loading} aria-busy />}>
          <UploadFields form={form} />
        </Suspense>
        <div className={layout.buttons}>
          <Button variant="default" component={Link} to="/cli-list">
            {t.back}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {t.submit}
          </Button>
        </div>
      </form>
    </Page>
  )
}
