import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failure } from '../../components/ui/Failure.tsx'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { refreshClis } from './actions.tsx'
import { TrunkPicker } from './TrunkPicker.tsx'

type Values = { trunkName: string | null; channels: string }

/** Changes trunk and channels; the dialog's title names the CLI. */
export default function ChangeCli({ row, close }: { row: CliRow; close: () => void }) {
  const { change: t, fields, cancel } = useTexts('clis')
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { trunkName: row.trunkName, channels: String(row.channels) },
    validate: { channels: (channels) => (channels.trim() ? null : 'is required') },
  })
  const save = form.onSubmit(async ({ trunkName, channels }) => {
    setFailure(null)
    try {
      await call(lineRoutes.update, { cliId: row.cliId, trunkName: trunkName ?? undefined, channels: channels.trim() })
      await refreshClis()
      close()
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={lines.test} onSubmit={save} noValidate>
      <TrunkPicker form={form} name="trunkName" label={fields.trunkName} description={t.trunkHint} clearable />
      <TextField form={form} name="channels" label={fields.channels} required {...wholeNumber} />
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
