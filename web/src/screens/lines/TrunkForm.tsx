import layout from '../../components/form/Form.module.css'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { loadTexts, serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { fieldsOfTrunk, type TrunkDetail, type TrunkValues } from './trunk-form.ts'
import { late } from '../../components/ui/loading/late.tsx'

// Their controls are large, so the other fields do not wait for them.
const DialerPicker = late(() => import('./DialerPicker.tsx'))
const ContractPicker = late(() => import('./ContractPicker.tsx'))
const SipFields = late(async () => {
  const [part] = await Promise.all([import('./SipFields.tsx'), loadTexts('trunkPresets')])
  return part
})
// Few trunks have either, and the words of symptoms are those of alerts.
const State = late(async () => ({ default: (await import('./Live.tsx')).State }))
const TrunkSymptoms = late(async () => {
  const [part] = await Promise.all([import('./TrunkSymptoms.tsx'), loadTexts('alerts')])
  return part
})

type TrunkFormProps = {
  initial: TrunkValues
  /** Null while it is being created. */
  trunk: TrunkDetail | null
  submit: string
  failure?: string
  /** Rejects with the server's error. */
  onSave: (values: TrunkValues) => Promise<unknown>
}

const required = (value: string | null) => (value?.trim() ? null : 'is required')
const plain = { autoComplete: 'off' } as const

export function TrunkForm({ initial, trunk, submit, failure, onSave }: TrunkFormProps) {
  const { fields, cancel } = useTexts('lineForms')
  const advanced = useTexts('trunkForms')
  const { live } = useTexts('lines')
  const form = useForm<TrunkValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: {
      trunkName: required,
      pilotNumber: required,
      dialerId: required,
      channels: required,
      cps: required,
      codecs: (codecs) => (codecs.length > 0 ? null : 'is required'),
    },
  })
  const save = saving(form, onSave, {
    labels: labelsOf({ ...fields, ...advanced.fields }),
    fields: fieldsOfTrunk,
    failure: failure ?? true,
  })
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <Suspense fallback={null}>
        {trunk?.unusable && <State light="problem" text={live.unusable(serverText(trunk.unusable))} />}
        {trunk && trunk.symptoms.length > 0 && <TrunkSymptoms symptoms={trunk.symptoms} />}
      </Suspense>
      <div className={layout.fields}>
        <TextField form={form} name="trunkName" label={fields.trunkName} required maxLength={100} {...plain} />
        <TextField
          form={form}
          name="pilotNumber"
          label={fields.pilotNumber}
          required
          inputMode="tel"
          maxLength={40}
          {...plain}
        />
      </div>
      <Suspense fallback={<div className={classes.picker} aria-busy />}>
        <DialerPicker form={form} />
      </Suspense>
      <div className={layout.fields}>
        <TextField form={form} name="channels" label={fields.channels} required {...wholeNumber} />
        <TextField form={form} name="cps" label={fields.cps} required {...wholeNumber} />
      </div>
      <Suspense fallback={<div className={classes.picker} aria-busy />}>
        <ContractPicker form={form} />
      </Suspense>
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <SipFields form={form} hasSecret={trunk?.sip.hasSecret ?? false} />
      </Suspense>
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
        <Button variant="default" component={Link} to="/trunk-list">
          {cancel}
        </Button>
      </div>
    </form>
  )
}

function labelsOf(t: Record<keyof TrunkValues, string>): Record<string, string> {
  const ofSip = Object.entries(fieldsOfTrunk).map(([field, name]) => [field, t[name]] as const)
  const { trunkName, pilotNumber, dialerId, channels, cps, contractId } = t
  return { trunkName, pilotNumber, dialerId, channels, cps, contractId, ...Object.fromEntries(ofSip) }
}
