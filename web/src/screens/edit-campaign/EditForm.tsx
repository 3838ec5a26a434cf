import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import layout from '../../components/form/Form.module.css'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { blankForm, fieldNames, fieldOf, limitsOf, type ComposeForm, type FormOfCompose } from '../compose/form.ts'
import ScheduleFields from '../compose/schedule/ScheduleFields.tsx'
import { endOf, scheduleTimeOf } from '../compose/schedule/schedule.ts'
import { keyLabelsOf } from '../compose/templates/key-names.ts'
import { KeyNames } from '../compose/templates/KeyNames.tsx'
import { labelsInForm } from '../compose/wire-fields.ts'
import { problemsIn, scheduleFields } from '../compose/validate.ts'

/** A campaign as it is. Times as on the wire. */
export type Before = {
  campaignName: string
  scheduleTime: string
  end: string
  /** True when the owner chose `end`. */
  notAfter: boolean
  /** The ringing time of calls. Empty: the trunk's. */
  ringSeconds?: string
  /** What says which keys it takes, and their names. */
  keys?: Pick<ComposeForm, 'template' | 'templateName' | 'keys' | 'agents' | 'keyLabels'>
}

export type Changes = {
  campaignName: string
  scheduleTime?: string
  notAfter?: string
  ringSeconds?: string
  keyLabels?: KeyLabels
}

type EditFormProps = {
  of: 'calls' | 'messages'
  before: Before
  kept: string
  save: (changes: Changes) => Promise<void>
  close: () => void
}

const ofKeys = dtmfKeys.map((key) => [`keyLabels.${key}`, `keyLabels.${key}`] as const)
const wireNames = { ...Object.fromEntries(ofKeys), scheduleTime: 'time', notAfter: 'endTime' } as const

export function EditForm({ of, before, kept, save, close }: EditFormProps) {
  const t = useTexts('editCampaign')
  const compose = useTexts('compose')
  const { campaignName, ringSeconds, ringSecondsHint } = compose
  const format = useFormat()
  const [failure, setFailure] = useState<unknown>(null)
  const form: FormOfCompose = useForm<ComposeForm>({
    mode: 'uncontrolled',
    initialValues: formOf(before),
    validate: (values) =>
      problemsIn(
        {
          ...limitsOf(values.ringSeconds === '' ? ['campaignName'] : ['campaignName', 'ringSeconds']),
          ...(isMoved(values, before) && scheduleFields(values, new Date())),
        },
        values,
      ),
  })
  const submit = form.onSubmit(async (values) => {
    setFailure(null)
    const name = values.campaignName.trim()
    const scheduleTime = scheduleTimeOf(values.day, values.time)
    try {
      await save({
        campaignName: name,
        ...(values.ringSeconds !== '' && { ringSeconds: values.ringSeconds }),
        ...(isRenamed(values, before) && { keyLabels: keyLabelsOf(values) }),
        ...(isMoved(values, before) && { scheduleTime, notAfter: endOf(values) || 'none' }),
      })
      close()
      showDone(t.done(name, format.time(scheduleTime)))
    } catch (error) {
      setFailure(placeErrors(form, error, wireNames))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={submit} noValidate>
      <p className={layout.hint}>{kept}</p>
      <TextField form={form} name="campaignName" label={campaignName} required maxLength={100} autoComplete="off" />
      <ScheduleFields form={form} of={of} />
      {before.ringSeconds !== undefined && (
        <TextField form={form} name="ringSeconds" label={ringSeconds} description={ringSecondsHint} {...wholeNumber} />
      )}
      {before.keys && <KeyNames form={form} />}
      <ErrorSummary form={form} labels={labelsInForm(compose)} />
      {failure !== null && <Failed error={failure} labels={t.fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}

const dayOf = (wire: string) => wire.slice(0, 10)
const timeOf = (wire: string) => wire.slice(11, 16)

function formOf({ campaignName, scheduleTime, end, notAfter, ringSeconds = '', keys }: Before): ComposeForm {
  return {
    ...blankForm,
    ...keys,
    campaignName,
    ringSeconds,
    scheduled: true,
    day: dayOf(scheduleTime),
    time: timeOf(scheduleTime),
    withEnd: notAfter,
    ...(notAfter && { endDay: dayOf(end), endTime: timeOf(end) }),
  }
}

function isRenamed(values: ComposeForm, { keys }: Before): boolean {
  return (
    keys !== undefined && JSON.stringify(keyLabelsOf(values)) !== JSON.stringify(keyLabelsOf({ ...blankForm, ...keys }))
  )
}

/** Renaming keeps the times, even past ones and those between quarter hours. */
function isMoved(values: ComposeForm, before: Before): boolean {
  const was = formOf(before)
  return fieldNames.some((name) => fieldOf(name).step === 'when' && values[name] !== was[name])
}
