import layout from '../../components/form/Form.module.css'
import { recordingRoutes } from '@ghanti/contract/recordings.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { keepsFewerDays } from '../users/user-form.ts'
import classes from './ProfileScreen.module.css'

/** How long the account's conversations are kept. Fewer days delete some, so they are asked about. */
export function RecordingsKept({ days, most }: { days: number; most: number }) {
  const { recordings: t } = useTexts('profile')
  const format = useFormat()
  const save = useWrite(recordingRoutes.keepDays, [userRoutes.profile])
  const form = useForm({ mode: 'uncontrolled', initialValues: { recordingDays: String(days) } })
  const saveIt = async ({ recordingDays }: { recordingDays: string }) => {
    const keep = () => save.mutateAsync({ input: { recordingDays: recordingDays.trim() } })
    if (!keepsFewerDays(days, recordingDays)) {
      await keep()
      showDone(t.saved)
      return
    }
    confirm({
      title: '',
      verb: t.deleteOld,
      question: t.question(format.count(Number(plainNumber(recordingDays.trim())))),
      failure: t.failed,
      labels: { recordingDays: t.days },
      danger: true,
      onYes: () => keep().then(() => showDone(t.saved)),
    })
  }
  return (
    <section aria-labelledby="recordings-kept">
      <h2 id="recordings-kept" className={classes.heading}>
        {t.title}
      </h2>
      <form
        className={layout.form}
        onSubmit={saving(form, saveIt, {
          labels: { recordingDays: t.days },
          fields: { recordingDays: 'recordingDays' },
        })}
        noValidate
      >
        <TextField
          form={form}
          name="recordingDays"
          label={t.days}
          description={t.hint(format.count(most))}
          inputMode="numeric"
        />
        <div className={layout.buttons}>
          <Button type="submit" loading={form.submitting}>
            {t.save}
          </Button>
        </div>
      </form>
    </section>
  )
}
