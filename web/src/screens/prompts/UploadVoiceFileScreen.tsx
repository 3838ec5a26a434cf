import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { focusInvalid } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { useLeaveGuard } from '../compose/opened/leave-guard.ts'
import classes from './PromptsTable.module.css'
import { SoundPicker } from './SoundPicker.tsx'
import { blankUpload, type UploadForm } from './upload-form.ts'
import { useSendingSounds } from './sending-sounds.ts'
import { isSent, isUsable, useSoundList, useSounds, type Sounds } from './use-sounds.ts'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(promptRoutes.categories, {})))

const CategoryPicker = late(() => import('./CategoryPicker.tsx'))
// Includes the code that draws and cuts sounds, so it loads with the first file.
const SoundList = late(async () => {
  const [part] = await Promise.all([import('./SoundList.tsx'), loadTexts('sound')])
  return part
})

const required = (value: unknown) => (value ? null : 'is required')

/** File, category and file name are required (specification 1 §5); success leads to the list. Of several files, each has its own name. */
export default function UploadVoiceFileScreen() {
  const t = useTexts('prompts')
  const upload = useTexts('prompts').sounds
  const format = useFormat()
  const list = useSoundList()
  const all = list.current
  const form = useForm<UploadForm>({
    mode: 'uncontrolled',
    initialValues: blankUpload,
    validate: {
      waveFile: () => required(all().some(isUsable)),
      promptCategory: (category) => required(category ?? (all().length > 1 && all().every((sound) => sound.category))),
      fileName: (name) => (all().length > 1 ? null : required(name.trim())),
    },
  })
  const sounds = useSounds(form, list)
  const { send, isSending, summary } = useSendingSounds(form, sounds)
  const several = sounds.sounds.length > 1
  const left = toSend(sounds)
  const isOver = sounds.sounds.length > 0 && sounds.sounds.every(isSent)
  const isReading = sounds.sounds.some(({ sound, fault }) => sound === null && fault === null)
  useLeaveGuard(left > 0 ? upload.lost : null)

  return (
    <Page title={t.uploadTitle}>
      <form className={layout.form} onSubmit={form.onSubmit(send, focusInvalid(form))} noValidate>
        <SoundPicker form={form} sounds={sounds} disabled={isSending} />
        {sounds.sounds.length > 0 && (
          <Suspense fallback={<div className={classes.picker} aria-busy />}>
            <SoundList sounds={sounds} disabled={isSending} />
          </Suspense>
        )}
        <Suspense fallback={<div className={classes.picker} aria-busy />}>
          <CategoryPicker form={form} {...(several && { description: upload.categoryOfAll })} />
        </Suspense>
        {!several && (
          <TextField
            form={form}
            name="fileName"
            label={t.upload.name}
            description={t.upload.nameHint}
            required
            maxLength={nameMax}
            autoComplete="off"
          />
        )}
        {summary && <p role="alert">{summary}</p>}
        <div className={layout.buttons}>
          <Button type="submit" loading={isSending} disabled={isReading || isOver}>
            {isOver ? upload.sent : several && left > 0 ? upload.submitMany(format.count(left)) : t.upload.submit}
          </Button>
        </div>
      </form>
    </Page>
  )
}

const toSend = ({ sounds }: Sounds) => sounds.filter((sound) => isUsable(sound) && !isSent(sound)).length
