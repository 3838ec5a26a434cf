import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { PromptField } from '../PromptField.tsx'
import { optionalPrompts, optionalRoles, type OptionalPrompt } from './menu.ts'
import type { FieldsProps } from './template.ts'
import { useWatched } from '../use-watched.ts'

export function OptionalPrompts({ form }: FieldsProps) {
  const t = useTexts('compose')
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{t.prompts.optional}</legend>
      {optionalRoles.map((role) => (
        <OptionalPromptField key={role} form={form} role={role} label={t.prompts[optionalPrompts[role]]} />
      ))}
    </fieldset>
  )
}

type OptionalPromptFieldProps = { form: FormOfCompose; role: OptionalPrompt; label: string }

function OptionalPromptField({ form, role, label }: OptionalPromptFieldProps) {
  const ticked = useWatched(form, optionalPrompts[role])
  return (
    <>
      <CheckboxField form={form} name={optionalPrompts[role]} label={label} />
      {ticked && (
        <div className={classes.ticked}>
          <PromptField form={form} role={role} />
        </div>
      )}
    </>
  )
}
