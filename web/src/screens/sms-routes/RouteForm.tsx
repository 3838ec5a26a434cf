import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes, type RouteRow } from '@ghanti/contract/sms-routes.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import type { Form } from '../../components/form/field.ts'
import { labelsOfSteps } from '../../components/form/route-steps.ts'
import { RouteSteps } from '../../components/form/RouteSteps.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { OperatorChoice } from '../sms-approvals/OperatorChoice.tsx'
import { refreshRoutes } from './refresh.ts'
import { fieldsOfRoute, problemsOf, toRoute, valuesOfRoute, type RouteValues } from './route-form.ts'

/** Without a row: a new route. */
export default function RouteForm({ row, close }: { row: RouteRow | null; close: () => void }) {
  const t = useTexts('smsRoutes')
  const format = useFormat()
  const form = useForm<RouteValues>({
    mode: 'uncontrolled',
    initialValues: valuesOfRoute(row),
    validate: problemsOf,
  })
  const save = async (values: RouteValues) => {
    if (row) await call(smsRouteRoutes.update, { routeId: row.routeId, ...toRoute(values) })
    else await call(smsRouteRoutes.create, toRoute(values))
    await refreshRoutes()
    close()
    showDone(row ? t.updated : t.created)
  }
  const { gatewayId: target, ...fields } = t.fields
  const stepLabels = labelsOfSteps({ ...fields, target, stepTitle: t.stepTitle }, format.count)
  return (
    <DialogForm
      form={form}
      save={save}
      submit={row ? t.update : t.create}
      cancel={t.cancel}
      close={close}
      fields={fieldsOfRoute}
      labels={{ ntc: t.fields.operators, cliName: t.fields.cliName, ...stepLabels }}
    >
      <OperatorChoice form={form} label={t.fields.operators} />
      <TextField
        form={form}
        name="cliName"
        label={t.fields.cliName}
        description={t.senderHint}
        maxLength={40}
        autoComplete="off"
      />
      <Gateways form={form} />
    </DialogForm>
  )
}

function Gateways({ form }: { form: Form<RouteValues> }) {
  const t = useTexts('smsRoutes')
  const { steps: heading, gatewayId: target, priority, weight } = t.fields
  const { stepsHint: hint, stepTitle, add, remove } = t
  const gateways = useQuery(listQuery(smsGatewayRoutes.list, {}, { pageSize: 1000, sort: 'gatewayName' }))
  const choices = {
    data: gateways.data?.rows.map(({ gatewayId, gatewayName, enabled }) => ({
      value: String(gatewayId),
      label: enabled ? gatewayName : t.disabled(gatewayName),
    })),
    emptyText: t.noGateway,
    loadError: gateways.error && !gateways.data ? failureTexts(gateways.error).message : undefined,
  }
  return (
    <RouteSteps
      form={form}
      texts={{ heading, hint, target, priority, weight, stepTitle, add, remove }}
      choices={choices}
      onAdd={(step) => form.insertListItem('steps', step)}
      onRemove={(index) => form.removeListItem('steps', index)}
    />
  )
}
