import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { cliFormats, sipCodecs, sipTransports } from '@ghanti/contract/trunks.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import type { Form } from '../../components/form/field.ts'
import { MultiSelectField } from '../../components/form/MultiSelectField.tsx'
import { SelectField } from '../../components/form/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showFailure } from '../../components/ui/dialogs.ts'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { fieldsOfTrunk, type TrunkDetail, type TrunkValues } from './trunk-form.ts'

type TrunkFormProps = {
  initial: TrunkValues
  /** Null: it is being created. */
  trunk: TrunkDetail | null
  submit: string
  /** Rejects with what the server says; resolves when it is done. */
  onSave: (values: TrunkValues) => Promise<unknown>
}

const required = (value: string | null) => (value?.trim() ? null : 'is required')
const plain = { autoComplete: 'off' } as const
const number = { inputMode: 'numeric', maxLength: 6, autoComplete: 'off' } as const

export function TrunkForm({ initial, trunk, submit, onSave }: TrunkFormProps) {
  const { fields, cancel } = useTexts('lines')
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
  const save = form.onSubmit(async (values) => {
    try {
      await onSave(values)
    } catch (error) {
      placeErrors(form, error, fieldsOfTrunk)
      requestAnimationFrame(() => showFailure(error, labelsOf(fields)))
    }
  }, focusInvalid(form))
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <div className={classes.pair}>
        <TextField form={form} name="trunkName" label={fields.trunkName} required maxLength={100} {...plain} />
        <TextField
          form={form}
          name="pilotNumber"
          label={fields.pilotNumber}
          required
          inputMode="tel"
          maxLength={21}
          {...plain}
        />
      </div>
      <DialerPicker form={form} />
      <div className={classes.pair}>
        <TextField form={form} name="channels" label={fields.channels} required {...number} />
        <TextField form={form} name="cps" label={fields.cps} required {...number} />
      </div>
      <SipFields form={form} hasSecret={trunk?.sip.hasSecret ?? false} />
      <div className={classes.buttons}>
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

function DialerPicker({ form }: { form: Form<TrunkValues> }) {
  const { fields } = useTexts('lines')
  const dialers = useQuery(jsonQuery(dialerRoutes.choices, {}))
  return (
    <SelectField
      form={form}
      name="dialerId"
      label={fields.dialerId}
      required
      data={dialers.data?.map(({ dialerId, dialerName }) => ({ value: String(dialerId), label: dialerName }))}
      emptyText={serverText(messages.noDialerFound)}
      loadError={dialers.error && !dialers.data ? failureTexts(dialers.error).message : undefined}
    />
  )
}

/** What the operator's contract says: all of it optional. */
function SipFields({ form, hasSecret }: { form: Form<TrunkValues>; hasSecret: boolean }) {
  const { fields, sections } = useTexts('lines')
  const common = useTexts('common')
  const emptyText = common.form.nothingFound
  return (
    <section className={classes.section} aria-labelledby="sip">
      <div>
        <h2 id="sip">{sections.sip}</h2>
        <p className={classes.hint}>{sections.sipHint}</p>
      </div>
      <TextField
        form={form}
        name="sipHost"
        label={fields.sipHost}
        description={fields.sipHostHint}
        maxLength={253}
        {...plain}
      />
      <div className={classes.pair}>
        <TextField form={form} name="sipPort" label={fields.sipPort} description={fields.sipPortHint} {...number} />
        <SelectField
          form={form}
          name="transport"
          label={fields.transport}
          description={fields.transportHint}
          data={sipTransports.map((value) => ({ value, label: value.toUpperCase() }))}
          emptyText={emptyText}
        />
      </div>
      <div className={classes.pair}>
        <TextField form={form} name="sipUser" label={fields.sipUser} maxLength={100} {...plain} />
        <TextField
          form={form}
          name="sipSecret"
          label={fields.sipSecret}
          type="password"
          maxLength={200}
          autoComplete="new-password"
          {...(hasSecret ? { description: fields.secretKept } : {})}
        />
      </div>
      <CheckboxField form={form} name="registers" label={fields.registers} />
      <div className={classes.pair}>
        <MultiSelectField form={form} name="codecs" label={fields.codecs} data={[...sipCodecs]} emptyText={emptyText} />
        <SelectField
          form={form}
          name="cliFormat"
          label={fields.cliFormat}
          data={cliFormats.map((value) => ({ value, label: fields.cliFormats[value] }))}
          emptyText={emptyText}
        />
      </div>
      <div className={classes.pair}>
        <TextField
          form={form}
          name="numberStrip"
          label={fields.numberStrip}
          description={fields.numberStripHint}
          inputMode="numeric"
          maxLength={15}
          {...plain}
        />
        <TextField
          form={form}
          name="numberPrefix"
          label={fields.numberPrefix}
          description={fields.numberPrefixHint}
          inputMode="tel"
          maxLength={16}
          {...plain}
        />
      </div>
    </section>
  )
}

/** What the screen calls the fields that a refusal names. */
function labelsOf(t: Record<keyof TrunkValues, string>): Record<string, string> {
  const ofSip = Object.entries(fieldsOfTrunk).map(([field, name]) => [field, t[name]] as const)
  const { trunkName, pilotNumber, dialerId, channels, cps } = t
  return { trunkName, pilotNumber, dialerId, channels, cps, ...Object.fromEntries(ofSip) }
}
