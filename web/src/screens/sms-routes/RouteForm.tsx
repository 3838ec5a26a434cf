import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes, type RouteRow } from '@ghanti/contract/sms-routes.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/Failure.tsx'
import { failureTexts, fieldText } from '../../components/ui/failure-texts.ts'
import { showDone } from '../../components/ui/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { OperatorChoice } from '../sms-approvals/OperatorChoice.tsx'
import { againRoutes } from './again.ts'
import {
  blankStep,
  fieldsOfRoute,
  problemsOf,
  stepsMax,
  toRoute,
  valuesOfRoute,
  type RouteValues,
} from './route-form.ts'
import classes from './SmsRoutes.module.css'

/** Without a row: a new route. */
export default function RouteForm({ row, close }: { row: RouteRow | null; close: () => void }) {
  const t = useTexts('smsRoutes')
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<RouteValues>({
    mode: 'uncontrolled',
    initialValues: valuesOfRoute(row),
    validate: problemsOf,
  })
  const save = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      if (row) await call(smsRouteRoutes.update, { routeId: row.routeId, ...toRoute(values) })
      else await call(smsRouteRoutes.create, toRoute(values))
      await againRoutes()
      close()
      showDone(row ? t.updated : t.created)
    } catch (error) {
      setFailure(placeErrors(form, error, fieldsOfRoute))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <OperatorChoice form={form} label={t.fields.operators} />
      <TextField
        form={form}
        name="cliName"
        label={t.fields.cliName}
        description={t.senderHint}
        maxLength={40}
        autoComplete="off"
      />
      <Steps form={form} />
      {failure !== null && <Failure error={failure} />}
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {row ? t.update : t.create}
        </Button>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
      </div>
    </form>
  )
}

function Steps({ form }: { form: Form<RouteValues> }) {
  const t = useTexts('smsRoutes')
  const { steps } = form.getValues()
  const error: unknown = form.errors['steps']
  return (
    <div className={layout.fields}>
      <h3 className={layout.heading}>{t.fields.steps}</h3>
      <p className={layout.hint}>{t.stepsHint}</p>
      {steps.map((_, index) => (
        <Step key={form.key(`steps.${index}`)} form={form} index={index} isOnly={steps.length === 1} />
      ))}
      {typeof error === 'string' && (
        <p className={classes.bad} role="alert">
          {fieldText(t.fields.steps, error)}
        </p>
      )}
      {steps.length < stepsMax && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem('steps', { ...blankStep, priority: String(steps.length + 1) })}
          >
            {t.add}
          </Button>
        </div>
      )}
    </div>
  )
}

function Step({ form, index, isOnly }: { form: Form<RouteValues>; index: number; isOnly: boolean }) {
  const t = useTexts('smsRoutes')
  const format = useFormat()
  const number = format.count(index + 1)
  const gateways = useQuery(listQuery(smsGatewayRoutes.list, {}, { pageSize: 1000, sort: 'gatewayName' }))
  return (
    <fieldset className={classes.step}>
      <legend>{t.stepTitle(number)}</legend>
      <SelectField
        form={form}
        name={`steps.${index}.gatewayId`}
        label={t.fields.gatewayId}
        required
        data={gateways.data?.rows.map(({ gatewayId, gatewayName, enabled }) => ({
          value: String(gatewayId),
          label: enabled ? gatewayName : t.disabled(gatewayName),
        }))}
        emptyText={t.noGateway}
        loadError={gateways.error && !gateways.data ? failureTexts(gateways.error).message : undefined}
      />
      <TextField form={form} name={`steps.${index}.priority`} label={t.fields.priority} required {...wholeNumber} />
      <TextField form={form} name={`steps.${index}.weight`} label={t.fields.weight} required {...wholeNumber} />
      {!isOnly && (
        <Button variant="default" aria-label={t.remove(number)} onClick={() => form.removeListItem('steps', index)}>
          ×
        </Button>
      )}
    </fieldset>
  )
}
