import { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Name, RingSeconds } from '@ghanti/contract/values.ts'
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { wholeNumber } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/Failed.tsx'
import { showDone } from '../../components/ui/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { endOf } from '../compose/compose-body.ts'
import { blankForm, type ComposeForm, type FormOfCompose } from '../compose/form.ts'
import ScheduleFields from '../compose/schedule/ScheduleFields.tsx'
import { scheduleTimeOf } from '../compose/schedule/schedule.ts'
import { problemsIn, scheduleFields } from '../compose/validate.ts'

export type Edited = Pick<CampaignRow, 'campaignId' | 'campaignName'>
type Detail = ReplyOf<typeof voiceCampaignRoutes.detail>

/** Loads the campaign's current state, then shows the form. */
export default function EditCampaign({ campaignId, close }: Edited & { close: () => void }) {
  const { fields } = useTexts('editCampaign')
  const detail = useQuery({ ...jsonQuery(voiceCampaignRoutes.detail, { campaignId }), gcTime: 0 })
  if (detail.error) return <Failed error={detail.error} labels={fields} />
  return detail.data ? <EditForm detail={detail.data} close={close} /> : <div aria-busy />
}

const wireNames = { scheduleTime: 'time', notAfter: 'endTime' } as const

function EditForm({ detail, close }: { detail: Detail; close: () => void }) {
  const t = useTexts('editCampaign')
  const { campaignName, ringSeconds, ringSecondsHint } = useTexts('compose')
  const format = useFormat()
  const { campaignId } = detail
  const [failure, setFailure] = useState<unknown>(null)
  const form: FormOfCompose = useForm<ComposeForm>({
    mode: 'uncontrolled',
    initialValues: formOf(detail),
    validate: (values) =>
      problemsIn(
        {
          campaignName: Name,
          ...(values.ringSeconds !== '' && { ringSeconds: RingSeconds }),
          ...(isMoved(values, detail) && scheduleFields(values, new Date())),
        },
        values,
      ),
  })
  const save = form.onSubmit(async (values) => {
    setFailure(null)
    const scheduleTime = scheduleTimeOf(values.day, values.time)
    try {
      await call(composeRoutes.edit, {
        campaignId,
        campaignName: values.campaignName.trim(),
        ...(values.ringSeconds !== '' && { ringSeconds: values.ringSeconds }),
        ...(isMoved(values, detail) && { scheduleTime, notAfter: endOf(values) || 'none' }),
      })
      await refresh(voiceCampaignRoutes.list, voiceCampaignRoutes.detail)
      close()
      showDone(t.done(values.campaignName.trim(), format.time(scheduleTime)))
    } catch (error) {
      setFailure(placeErrors(form, error, wireNames))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <p className={layout.hint}>{t.kept}</p>
      <TextField form={form} name="campaignName" label={campaignName} required maxLength={100} autoComplete="off" />
      <ScheduleFields form={form} withEnd />
      <TextField form={form} name="ringSeconds" label={ringSeconds} description={ringSecondsHint} {...wholeNumber} />
      {failure !== null && <Failed error={failure} labels={t.fields} />}
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
      </div>
    </form>
  )
}

const dayOf = (wire: string) => wire.slice(0, 10)
const timeOf = (wire: string) => wire.slice(11, 16)

function formOf({ campaignName, scheduleTime, dialUntil, notAfter, composed }: Detail): ComposeForm {
  const { ringSeconds } = composed
  return {
    ...blankForm,
    campaignName,
    ringSeconds: typeof ringSeconds === 'number' ? String(ringSeconds) : '',
    scheduled: true,
    day: dayOf(scheduleTime),
    time: timeOf(scheduleTime),
    withEnd: notAfter,
    ...(notAfter && { endDay: dayOf(dialUntil), endTime: timeOf(dialUntil) }),
  }
}

/** Renaming keeps the times, even past ones and those between quarter hours. */
function isMoved(values: ComposeForm, detail: Detail): boolean {
  const before = formOf(detail)
  return (['day', 'time', 'withEnd', 'endDay', 'endTime'] as const).some((name) => values[name] !== before[name])
}
