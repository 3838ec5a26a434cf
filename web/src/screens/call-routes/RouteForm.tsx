import { callRouteRoutes, type CallRouteRow } from '@ghanti/contract/call-routes.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import {
  blankStep,
  fieldsOfSteps,
  stepsMissing,
  toSteps,
  valuesOfSteps,
  type StepsValues,
} from '../../components/form/route-steps.ts'
import { RouteSteps } from '../../components/form/RouteSteps.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/Failure.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { showDone } from '../../components/ui/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { againRoutes } from './again.ts'

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
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<RouteValues>({ mode: 'uncontrolled', initialValues: valuesOf(row), validate: problemsOf })
  const save = form.onSubmit(async ({ routeName, steps }) => {
    setFailure(null)
    const way = {
      routeName: routeName.trim(),
      steps: toSteps(steps).map(({ target, ...step }) => ({ trunkId: target, ...step })),
    }
    try {
      if (row) await call(callRouteRoutes.update, { routeId: row.routeId, ...way })
      else await call(callRouteRoutes.create, way)
      await againRoutes()
      close()
      showDone(row ? t.updated : t.created)
    } catch (error) {
      setFailure(placeErrors(form, error, fieldsOfSteps('trunkId')))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <TextField
        form={form}
        name="routeName"
        label={t.fields.routeName}
        required
        maxLength={nameMax}
        autoComplete="off"
      />
      <Trunks form={form} />
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

function Trunks({ form }: { form: Form<RouteValues> }) {
  const t = useTexts('callRoutes')
  const { steps: heading, trunkId: target, priority, weight } = t.fields
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
      texts={{ heading, hint, target, priority, weight, stepTitle, add, remove }}
      choices={choices}
      onAdd={(step) => form.insertListItem('steps', step)}
      onRemove={(index) => form.removeListItem('steps', index)}
    />
  )
}
