import { callRouteRoutes, type CallRouteRow } from '@ghanti/contract/call-routes.ts'
import { everyOperator } from '@ghanti/contract/operators.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import type { Form } from '../../components/form/field.ts'
import {
  blankStep,
  fieldsOfSteps,
  labelsOfSteps,
  stepsMissing,
  toSteps,
  valuesOfSteps,
  type StepsValues,
} from '../../components/form/route-steps.ts'
import { RouteSteps } from '../../components/form/RouteSteps.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { refreshRoutes } from './refresh.ts'

type RouteValues = StepsValues & { routeName: string }

const valuesOf = (row: CallRouteRow | null): RouteValues =>
  row
    ? { routeName: row.routeName, steps: valuesOfSteps(row.steps, ({ trunkId }) => trunkId) }
    : { routeName: '', steps: [blankStep] }

function problemsOf(values: RouteValues): Record<string, string> {
  return { ...(values.routeName.trim() ? {} : { routeName: 'is required' }), ...stepsMissing(values) }
}

/** Without a row: a new route. */
export default function RouteForm({ row, close }: { row: CallRouteRow | null; close: () => void }) {
  const t = useTexts('callRoutes')
  const format = useFormat()
  const form = useForm<RouteValues>({ mode: 'uncontrolled', initialValues: valuesOf(row), validate: problemsOf })
  const save = async ({ routeName, steps }: RouteValues) => {
    const way = {
      routeName: routeName.trim(),
      steps: toSteps(steps).map(({ target, ...step }, at) => ({
        trunkId: target,
        ...step,
        costPaisa: steps[at]?.cost.trim() ?? '',
        operators: everyOperator.filter((operator) => steps[at]?.operators.includes(operator)),
      })),
    }
    if (row) await call(callRouteRoutes.update, { routeId: row.routeId, ...way })
    else await call(callRouteRoutes.create, way)
    await refreshRoutes()
    close()
    showDone(row ? t.updated : t.created)
  }
  const { trunkId: target, ...fields } = t.fields
  const stepLabels = labelsOfSteps({ ...fields, target, stepTitle: t.stepTitle }, format.count)
  return (
    <DialogForm
      form={form}
      save={save}
      submit={row ? t.update : t.create}
      cancel={t.cancel}
      close={close}
      fields={fieldsOfSteps('trunkId')}
      labels={{ routeName: t.fields.routeName, ...stepLabels }}
    >
      <TextField
        form={form}
        name="routeName"
        label={t.fields.routeName}
        required
        maxLength={nameMax}
        autoComplete="off"
      />
      <Trunks form={form} />
    </DialogForm>
  )
}

function Trunks({ form }: { form: Form<RouteValues> }) {
  const t = useTexts('callRoutes')
  const { steps: heading, trunkId: target, priority, weight, cost, operators } = t.fields
  const { stepsHint: hint, stepTitle, add, remove } = t
  const trunks = useQuery(listQuery(trunkRoutes.list, {}, { pageSize: 1000, sort: 'trunkName' }))
  const choices = {
    data: trunks.data?.rows.map(({ trunkId, trunkName, dialerName }) => ({
      value: String(trunkId),
      label: t.trunkOf(trunkName, dialerName),
    })),
    emptyText: t.noTrunk,
    loadError: trunks.error && !trunks.data ? failureTexts(trunks.error).message : undefined,
  }
  return (
    <RouteSteps
      form={form}
      texts={{ heading, hint, target, priority, weight, cost, operators, stepTitle, add, remove }}
      choices={choices}
      operators={everyOperator.map((operator) => ({ value: operator, label: t.operators[operator] }))}
      onAdd={(step) => form.insertListItem('steps', step)}
      onRemove={(index) => form.removeListItem('steps', index)}
    />
  )
}
