import { keyLabelMax } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { TextInput } from '@mantine/core'
import { fieldText } from '../../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import { keysOfForm } from '../messages/sms-form.ts'
import { useWatched } from '../use-watched.ts'
import type { FieldsProps } from './template.ts'

/** A small field for each key that the template takes: what people call it in results. */
export function KeyNames({ form }: FieldsProps) {
  const { keyNames: t } = useTexts('compose')
  useWatched(form, 'keys')
  useWatched(form, 'agents')
  useWatched(form, 'agentKey')
  const keys = keysOfForm(form.getValues())
  if (keys.length === 0) return null
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{t.title}</legend>
      <p className={classes.hint}>{t.hint}</p>
      <div className={classes.keyNames}>
        {keys.map((key) => (
          <div key={key} className={classes.keyName}>
            <kbd className={classes.key}>{key}</kbd>
            <KeyName form={form} of={key} />
          </div>
        ))}
      </div>
    </fieldset>
  )
}

type KeyNameProps = FieldsProps & {
  of: string
  /** Without one, the key beside it says what it is. */ label?: string
}

export function KeyName({ form, of, label }: KeyNameProps) {
  const { keyNames: t } = useTexts('compose')
  const names = useWatched(form, 'keyLabels')
  const path = `keyLabels.${of}`
  const error = ownValue(form.errors, path)
  const example = t.examples[(Number(of) + 2) % 3] ?? t.examples[0]
  return (
    <TextInput
      data-path={path}
      name={path}
      label={label}
      aria-label={label === undefined ? t.of(of) : undefined}
      placeholder={example}
      maxLength={keyLabelMax}
      autoComplete="off"
      value={ownValue(names, of) ?? ''}
      error={typeof error === 'string' ? fieldText(t.of(of), error) : undefined}
      onChange={(event) => {
        form.setFieldValue('keyLabels', { ...names, [of]: event.currentTarget.value })
        form.clearFieldError(path)
      }}
    />
  )
}
