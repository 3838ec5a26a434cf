import layout from '../../components/form/Form.module.css'
import { cliChannelsDefault, lineRoutes } from '@ghanti/contract/lines.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { listQuery, refresh } from '../../api/query.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { refreshClis } from './actions.tsx'
import { late } from '../../components/ui/loading/late.tsx'

// Its control is large, so the other fields do not wait for it.
const AddTrunk = late(() => import('./AddTrunk.tsx'))

export const loader = screenLoader(
  ({ prefetch }) => void prefetch(listQuery(trunkRoutes.list, {}, { pageSize: 1000, sort: 'trunkName' })),
)

export type AddCliValues = { cli: string; channels: string; trunkName: string | null }
const blank: AddCliValues = { cli: '', channels: String(cliChannelsDefault), trunkName: null }
const required = (value: string | null) => (value?.trim() ? null : 'is required')

/** Number, channels and trunk are required (specification 2 §5); success leads to the list. */
export default function AddCliScreen() {
  const { add: t, fields, cancel } = useTexts('clis')
  const leave = useLeave()
  const form = useForm<AddCliValues>({
    mode: 'uncontrolled',
    initialValues: blank,
    validate: { cli: required, channels: required, trunkName: required },
  })
  const add = async ({ cli, channels, trunkName }: AddCliValues) => {
    await call(lineRoutes.add, { cli: cli.trim(), channels: channels.trim(), trunkName: trunkName ?? '' })
    await refreshClis()
    void refresh(trunkRoutes.list)
    await leave('/cli-list', t.done)
  }
  return (
    <Page title={t.title}>
      <form className={layout.form} onSubmit={saving(form, add, { labels: fields, failure: true })} noValidate>
        <div className={layout.fields}>
          <TextField
            form={form}
            name="cli"
            label={fields.cli}
            description={t.cliHint}
            required
            inputMode="tel"
            maxLength={40}
            autoComplete="off"
          />
          <TextField
            form={form}
            name="channels"
            label={fields.channels}
            description={t.channelsHint}
            required
            {...wholeNumber}
          />
        </div>
        <Suspense fallback={<div className={lines.picker} aria-busy />}>
          <AddTrunk form={form} />
        </Suspense>
        <div className={layout.buttons}>
          <Button variant="default" component={Link} to="/cli-list">
            {cancel}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {t.title}
          </Button>
        </div>
      </form>
    </Page>
  )
}
