import layout from '../../components/form/Form.module.css'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { wholeNumber } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { formNames, labelsFor } from '../../components/form/typed/typed-fields.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { dialerFields, dialerRows, dialerRules, type DialerDetail, type DialerValues } from './dialer-form.ts'
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

/** For creation and update. An update shows the current caps beside the machine's limits (specification 2 §2). */
export function DialerForm({ initial, dialer, submit, onSave }: DialerFormProps) {
  const { fields: t, sections, cancel } = useTexts('lineForms')
  const { simulatorSpeed } = useSession()
  const format = useFormat()
  const of = dialer ? 'update' : 'create'
  const form = useForm<DialerValues>({ mode: 'uncontrolled', initialValues: initial, validate: dialerRules[of] })
  const rows = dialerRows(of)
  const labels = labelsFor(dialerFields[of], Object.fromEntries(rows.map(([name, { label }]) => [name, label(t)])))
  const save = saving(form, onSave, { labels, fields: formNames(dialerFields[of]), failure: true })
  const most = { cpsReduction: dialer?.cps, channelReduction: dialer?.totalChannels }
  const hintOf = (name: keyof DialerValues, hint: string | undefined): string | undefined => {
    if (name === 'ariSecret' && dialer?.ari.hasSecret) return t.secretKept
    const total = name === 'cpsReduction' || name === 'channelReduction' ? most[name] : undefined
    return total === undefined ? hint : t.capHint(format.count(total))
  }
  const rowsIn = (isAccess: boolean) =>
    rows.map(([name, { kind, label, hint, required = false, maxLength, isAccess: its = false }]) => {
      if (its !== isAccess) return null
      if (name === 'driver')
        return (
          simulatorSpeed !== null && (
            <Suspense key={name} fallback={<div className={classes.picker} aria-busy />}>
              <DriverField form={form} />
            </Suspense>
          )
        )
      return (
        <TextField
          key={name}
          form={form}
          name={name}
          label={label(t)}
          description={hintOf(name, hint?.(t))}
          required={required}
          {...(kind === 'whole' ? wholeNumber : { maxLength, autoComplete: 'off' })}
          {...(kind === 'secret' && { type: 'password', autoComplete: 'new-password' })}
        />
      )
    })
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      {rowsIn(false)}
      <section className={layout.group} aria-labelledby="access">
        <div>
          <h2 id="access">{sections.access}</h2>
          <p className={layout.hint}>{sections.accessHint}</p>
        </div>
        {rowsIn(true)}
      </section>
      <ErrorSummary form={form} labels={labels} />
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
