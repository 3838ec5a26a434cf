import { callRouteRoutes } from '@ghanti/contract/call-routes.ts'
import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { SelectField } from '../../components/form/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { Failure } from '../../components/ui/Failure.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { showDone } from '../../components/ui/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { againRoutes } from '../call-routes/again.ts'
import lines from '../lines/Lines.module.css'

/** Sets or removes a caller ID's route; the dialog's title names the CLI. */
export default function ChooseRoute({ row, close }: { row: CliRow; close: () => void }) {
  const { route: t, fields, cancel } = useTexts('clis')
  const [failure, setFailure] = useState<unknown>(null)
  const routes = useQuery(listQuery(callRouteRoutes.list, {}, { pageSize: 1000, sort: 'routeName' }))
  const form = useForm<{ routeId: string | null }>({
    mode: 'uncontrolled',
    initialValues: { routeId: row.routeId === null ? null : String(row.routeId) },
  })
  const save = form.onSubmit(async ({ routeId }) => {
    setFailure(null)
    try {
      await call(lineRoutes.route, { cliId: row.cliId, routeId: routeId ?? undefined })
      await againRoutes()
      close()
      showDone(t.done)
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={lines.test} onSubmit={save} noValidate>
      <SelectField
        form={form}
        name="routeId"
        label={fields.routeId}
        description={t.hint}
        searchable
        clearable
        data={routes.data?.rows.map(({ routeId, routeName }) => ({ value: String(routeId), label: routeName }))}
        emptyText={t.none}
        loadError={routes.error && !routes.data ? failureTexts(routes.error).message : undefined}
      />
      {failure !== null && <Failure error={failure} title={t.failed} />}
      <div className={lines.buttons}>
        <Button type="submit" loading={form.submitting}>
          {t.submit}
        </Button>
        <Button variant="default" onClick={close}>
          {cancel}
        </Button>
      </div>
    </form>
  )
}
