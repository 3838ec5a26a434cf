import layout from '../../components/form/Form.module.css'
import { callingHoursRoutes, type CallingHours, type ExceptionRow } from '@ghanti/contract/calling-hours.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { AccountField } from '../../components/form/AccountField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useTexts } from '../../i18n/language.ts'
import { checks, fieldsOfHours, hoursOf, valuesOf, type HoursValues } from './hours-form.ts'
import { HoursFields } from './HoursFields.tsx'

type ExceptionFormProps = {
  platform: CallingHours
  /** Null: for an account still to be chosen. */
  row: ExceptionRow | null
  onDone: () => void
}

export default function ExceptionForm({ platform, row, onDone }: ExceptionFormProps) {
  const t = useTexts('callingHours')
  const [failure, setFailure] = useState<unknown>(null)
  const save = useWrite(callingHoursRoutes.saveException, [callingHoursRoutes.exceptions])
  const form = useForm<HoursValues>({
    mode: 'uncontrolled',
    initialValues: row
      ? valuesOf(row.hours, { userId: String(row.userId), reason: row.reason })
      : valuesOf({ ...platform, enabled: true }),
    validate: {
      ...checks,
      userId: (userId) => (userId ? null : 'is required'),
      reason: (reason) => (reason.trim() ? null : 'is required'),
    },
  })
  const submit = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      const userId = Number(values.userId)
      await save.mutateAsync({ input: { userId, hours: hoursOf(values), reason: values.reason.trim() } })
      onDone()
    } catch (error) {
      setFailure(placeErrors(form, error, fieldsOfHours))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={submit} noValidate>
      {row === null && <AccountField form={form} name="userId" label={t.fields.account} required />}
      <HoursFields form={form} />
      <TextField
        form={form}
        name="reason"
        label={t.fields.reason}
        description={t.fields.reasonHint}
        required
        maxLength={500}
        autoComplete="off"
      />
      {failure !== null && <Failure error={failure} />}
      <div>
        <Button type="submit" loading={form.submitting}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
