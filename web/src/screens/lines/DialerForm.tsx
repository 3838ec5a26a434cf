import layout from '../../components/form/Form.module.css'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { fieldsOfDialer, type DialerDetail, type DialerValues } from './dialer-form.ts'
import classes from './Lines.module.css'
import { late } from '../../components/ui/loading/late.tsx'

// Only the demo offers a choice.
const DriverField = late(() => import('./DriverField.tsx'))

type DialerFormProps = {
  initial: DialerValues
  /** Null while it is being created. */
  dialer: DialerDetail | null
  submit: string
  /** Rejects with the server's error. */
  onSave: (values: DialerValues) => Promise<unknown>
}

const required = (value: string) => (value.trim() ? null : 'is required')

/** For creation and update. An update shows the current caps beside the machine's limits (specification 2 §2). */
export function DialerForm({ initial, dialer, submit, onSave }: DialerFormProps) {
  const { fields, cancel } = useTexts('lineForms')
  const { simulatorSpeed } = useSession()
  const form = useForm<DialerValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: {
      dialerName: required,
      dialerIP: required,
      dialerPort: required,
      ...(dialer ? { cps: required, totalChannels: required } : {}),
    },
  })
  const save = saving(form, onSave, {
    labels: labelsOf(fields, dialer !== null),
    fields: fieldsOfDialer[dialer ? 'update' : 'create'],
    failure: true,
  })
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <TextField form={form} name="dialerName" label={fields.dialerName} required maxLength={100} autoComplete="off" />
      <div className={layout.fields}>
        <TextField
          form={form}
          name="dialerIP"
          label={fields.dialerIP}
          description={fields.dialerIPHint}
          required
          maxLength={253}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="dialerPort"
          label={fields.dialerPort}
          description={fields.dialerPortHint}
          required
          {...wholeNumber}
        />
      </div>
      {!dialer && simulatorSpeed !== null && (
        <Suspense fallback={<div className={classes.picker} aria-busy />}>
          <DriverField form={form} />
        </Suspense>
      )}
      <Caps form={form} dialer={dialer} />
      <Access form={form} dialer={dialer} />
      <div className={layout.buttons}>
        <Button variant="default" component={Link} to="/dialer-list">
          {cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

function Caps({ form, dialer }: { form: Form<DialerValues>; dialer: DialerDetail | null }) {
  const { fields } = useTexts('lineForms')
  const format = useFormat()
  return (
    <>
      <div className={layout.fields}>
        <TextField
          form={form}
          name="cps"
          label={dialer ? fields.updateCps : fields.cps}
          {...(dialer ? { description: fields.capHint(format.count(dialer.cps)), required: true } : {})}
          {...wholeNumber}
        />
        <TextField
          form={form}
          name="totalChannels"
          label={dialer ? fields.updateChannels : fields.totalChannels}
          {...(dialer ? { description: fields.capHint(format.count(dialer.totalChannels)), required: true } : {})}
          {...wholeNumber}
        />
      </div>
      {dialer && (
        <div className={layout.fields}>
          <TextField form={form} name="machineCps" label={fields.machineCps} {...wholeNumber} />
          <TextField form={form} name="machineChannels" label={fields.machineChannels} {...wholeNumber} />
        </div>
      )}
    </>
  )
}

function Access({ form, dialer }: { form: Form<DialerValues>; dialer: DialerDetail | null }) {
  const { fields, sections } = useTexts('lineForms')
  return (
    <section className={layout.group} aria-labelledby="access">
      <div>
        <h2 id="access">{sections.access}</h2>
        <p className={layout.hint}>{sections.accessHint}</p>
      </div>
      <div className={layout.fields}>
        <TextField form={form} name="ariUser" label={fields.ariUser} maxLength={100} autoComplete="off" />
        <TextField
          form={form}
          name="ariSecret"
          label={fields.ariSecret}
          type="password"
          maxLength={200}
          autoComplete="new-password"
          {...(dialer?.ari.hasSecret ? { description: fields.secretKept } : {})}
        />
      </div>
      <TextField
        form={form}
        name="tlsFingerprint"
        label={fields.tlsFingerprint}
        description={fields.tlsFingerprintHint}
        maxLength={95}
        autoComplete="off"
      />
      <div className={layout.fields}>
        <TextField
          form={form}
          name="mediaFolder"
          label={fields.mediaFolder}
          description={fields.mediaFolderHint}
          maxLength={500}
          autoComplete="off"
        />
        <TextField
          form={form}
          name="mediaUrl"
          label={fields.mediaUrl}
          description={fields.mediaUrlHint}
          maxLength={500}
          autoComplete="off"
        />
      </div>
    </section>
  )
}

type FieldTexts = Record<Exclude<keyof DialerValues, 'cps' | 'totalChannels'>, string> & {
  cps: string
  totalChannels: string
  updateCps: string
  updateChannels: string
}

function labelsOf(t: FieldTexts, isUpdate: boolean): Record<string, string> {
  return {
    dialerName: t.dialerName,
    dialerIP: t.dialerIP,
    dialerPort: t.dialerPort,
    driver: t.driver,
    cps: isUpdate ? t.machineCps : t.cps,
    totalChannels: isUpdate ? t.machineChannels : t.totalChannels,
    cpsReduction: t.updateCps,
    channelReduction: t.updateChannels,
    'ari.user': t.ariUser,
    'ari.secret': t.ariSecret,
    'ari.tlsFingerprint': t.tlsFingerprint,
    'ari.mediaFolder': t.mediaFolder,
    'ari.mediaUrl': t.mediaUrl,
  }
}
