import { ownValue } from '@ghanti/contract/own-values.ts'
import layout from '../../components/form/Form.module.css'
import { useForm } from '@mantine/form'
import { useEffect, useId, type ReactNode } from 'react'
import type { Form } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import classes from './Settings.module.css'
import { useSaver, type Settings } from './settings-saver.ts'

type SettingFormProps<Values extends Record<string, unknown>> = {
  texts: { title: string; note: string }
  initial: Values
  /** The screen's labels and the form's fields, by wire name. */
  labels: Readonly<Record<string, string>>
  fields: Readonly<Record<string, keyof Values & string>>
  inputOf: (values: Values) => Settings
  validate?: NonNullable<Parameters<typeof useForm<Values>>[0]>['validate']
  beyond?: ReactNode
  children: (form: Form<Values>) => ReactNode
}

/** One platform setting, which the page's Save stores once it was changed. The parent passes a key derived from what was loaded. */
export function SettingForm<Values extends Record<string, unknown>>(props: SettingFormProps<Values>) {
  const { texts: t, initial, labels, fields, inputOf, validate, beyond, children } = props
  const { note, report, save } = useSaver()
  const id = useId()
  const stored = JSON.stringify(initial)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: initial,
    ...(validate && { validate }),
    onValuesChange: (values) => note(t.title, JSON.stringify(values) === stored ? null : section),
  })
  const section = {
    labels,
    isValid: () => {
      const { hasErrors, errors } = form.validate()
      if (hasErrors) focusInvalid(form)(errors)
      return !hasErrors
    },
    input: () => inputOf(form.getValues()),
    place: (error: unknown) => placeErrors(form, error, fields),
  }
  useEffect(() => {
    return () => {
      note(t.title, null)
      report(t.title, null)
    }
  }, [note, report, t.title])
  const { errors, getInputNode } = form
  useEffect(() => {
    const labelsInForm = Object.fromEntries(
      Object.entries(fields).map(([wire, name]) => [name, ownValue(labels, wire) ?? wire]),
    )
    report(t.title, Object.keys(errors).length > 0 ? { errors, getInputNode, labels: labelsInForm } : null)
    // The labels follow the language, as the title does.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [report, t.title, errors])
  return (
    <form
      id={anchorOf(t.title)}
      className={`${layout.form} ${classes.section}`}
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      noValidate
    >
      <h2 id={id} className={layout.heading}>
        {t.title}
      </h2>
      <p className={classes.note}>{t.note}</p>
      {beyond}
      {children(form)}
      {/* Enter in a field saves: a form of several fields sends itself by its own button alone. */}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  )
}

/** Where the index leads. */
export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
