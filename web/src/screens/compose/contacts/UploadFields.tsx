import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSession } from '../../../api/session.ts'
import layout from '../../../components/form/Form.module.css'
import { FileField } from '../../../components/form/files/FileField.tsx'
import { freeName, useNamedAfterFile } from '../../../components/form/files/named-after-file.ts'
import { TextField } from '../../../components/form/TextField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import { CheckSheet } from '../../contacts/check/late-parts.ts'
import { contactFileTypes } from './contact-file-types.ts'
import { basesQuery } from '../queries.ts'
import { StartButton, type WayProps } from './StartButton.tsx'
import { useWatched } from '../use-watched.ts'

const none: readonly string[] = []

/** `wanted`: the columns that the template speaks. */
export default function UploadFields({ form, upload, wanted = none }: WayProps & { wanted?: readonly string[] }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const base = useWatched(form, 'uploadedBase')
  const stored = useQuery(basesQuery(useSession().userId))
  const nameAfter = useNamedAfterFile(form, 'baseName', {
    free: (name) => freeName(name, stored.data?.map(({ baseName }) => baseName) ?? []),
    givenIn: 'fileGaveName',
  })
  const picked = (file: File | null) => {
    form.setFieldValue('uploadedBase', null)
    nameAfter(file)
  }
  return (
    <>
      <div className={layout.fields}>
        <FileField
          form={form}
          name="file"
          label={t.file}
          description={t.fileHint}
          required
          accept={contactFileTypes}
          maxBytes={contactsMaxBytes}
          onPick={picked}
          disabled={upload.progress !== null}
        />
        <TextField
          form={form}
          name="baseName"
          label={t.baseName}
          required
          maxLength={100}
          autoComplete="off"
          disabled={upload.progress !== null}
        />
      </div>
      {upload.asked && upload.progress === null && (
        <Suspense fallback={<Loader size="sm" />}>
          <CheckSheet asked={upload.asked} onUse={upload.use} wanted={wanted} />
        </Suspense>
      )}
      {base ? (
        <p className={classes.kept}>{t.kept(base.name, format.count(base.rows))}</p>
      ) : (
        upload.asked === null && <StartButton upload={upload} label={t.upload} />
      )}
    </>
  )
}
