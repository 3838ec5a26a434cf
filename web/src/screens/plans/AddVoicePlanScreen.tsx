import layout from '../../components/form/Form.module.css'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { Examples } from './Examples.tsx'
import { blankPlan, toAddPlan, type PlanValues } from './plan-form.ts'
import classes from './Plans.module.css'
import { late } from '../../components/ui/loading/late.tsx'

// Its controls are large, so the other fields do not wait for them.
const PulsePicker = late(() => import('./PulsePicker.tsx'))

export const loader = screenLoader(({ prefetch }) => {
  void prefetch(jsonQuery(planRoutes.pulses, {}))
  void prefetch(jsonQuery(planRoutes.own, {}))
})

const required = (value: string | null) => (value?.trim() ? null : 'is required')

export default function AddVoicePlanScreen() {
  const t = useTexts('plans')
  const { role } = useSession()
  const leave = useLeave()
  const own = useQuery(jsonQuery(planRoutes.own, {}))
  const add = useWrite(planRoutes.add, [planRoutes.list, planRoutes.choices])
  const form = useForm<PlanValues>({
    mode: 'uncontrolled',
    initialValues: blankPlan,
    validate: { planName: required, pulseDuration: required, pulsePrice: required },
  })
  const addIt = async (values: PlanValues) => {
    await add.mutateAsync({ input: toAddPlan(values) })
    await leave('/voice-plans', t.added)
  }
  const plan = own.data?.plan ?? null
  return (
    <Page title={t.add}>
      {role !== 'superAdmin' && own.data && !plan && (
        <p className={classes.fault} role="alert">
          {t.noOwnPlan}
        </p>
      )}
      <form className={classes.form} onSubmit={saving(form, addIt, { labels: t.fields, failure: true })} noValidate>
        <div className={classes.fields}>
          <TextField
            form={form}
            name="planName"
            label={t.fields.planName}
            required
            maxLength={100}
            autoComplete="off"
          />
          <div className={layout.fields}>
            <Suspense fallback={<div className={classes.loading} aria-busy />}>
              <PulsePicker form={form} />
            </Suspense>
            <TextField form={form} name="pulsePrice" label={t.fields.pulsePrice} required {...wholeNumber} />
          </div>
          <TextField form={form} name="smsPrice" label={t.fields.smsPrice} description={t.smsHint} {...wholeNumber} />
          <ErrorSummary form={form} labels={t.fields} />
          <div className={layout.buttons}>
            <Button variant="default" component={Link} to="/voice-plans">
              {t.cancel}
            </Button>
            <Button type="submit" loading={form.submitting}>
              {t.add}
            </Button>
          </div>
        </div>
        <Examples form={form} own={plan} />
      </form>
    </Page>
  )
}
