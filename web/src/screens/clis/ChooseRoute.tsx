import { callRouteRoutes } from '@ghanti/contract/call-routes.ts'
import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'
import { refreshRoutes } from '../call-routes/refresh.ts'

export default function ChooseRoute({ row, close }: { row: CliRow; close: () => void }) {
  const { route: t, fields, cancel } = useTexts('clis')
  const routes = useQuery(listQuery(callRouteRoutes.list, {}, { pageSize: 1000, sort: 'routeName' }))
  const form = useForm<{ routeId: string | null }>({
    mode: 'uncontrolled',
    initialValues: { routeId: row.routeId === null ? null : String(row.routeId) },
  })
  const save = async ({ routeId }: { routeId: string | null }) => {
    await call(lineRoutes.route, { cliId: row.cliId, routeId: routeId ?? undefined })
    await refreshRoutes()
    close()
    showDone(t.done)
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel} close={close} failed={t.failed}>
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
    </DialogForm>
  )
}
