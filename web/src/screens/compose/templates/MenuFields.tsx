import { menuWaitSecondsMax, rePromptMax } from '@ghanti/contract/templates.ts'
import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import layout from '../../../components/form/Form.module.css'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { PromptField } from '../PromptField.tsx'
import { optionalPrompts, type OptionalPrompt } from './menu.ts'
import type { FieldsProps } from './template.ts'
import { useWatched } from '../use-watched.ts'

export function MenuFields({ form }: FieldsProps) {
  return (
    <>
      <PromptField form={form} role="menu" />
      <MenuTimes form={form} />
    </>
  )
}

export function MenuTimes({ form }: FieldsProps) {
  const t = useTexts('compose')
  const format = useFormat()
  const upTo = (max: number) =>
    Array.from({ length: max + 1 }, (_, value) => ({ value: String(value), label: format.count(value) }))
  return (
    <div className={layout.fields}>
      <SelectField
        form={form}
        name="menuWait"
        label={t.menuWait}
        description={t.menuWaitHint}
        required
        data={upTo(menuWaitSecondsMax)}
        emptyText=""
        searchable={false}
      />
      <SelectField
        form={form}
        name="rePrompts"
        label={t.rePrompts}
        description={t.rePromptsHint}
        required
        data={upTo(rePromptMax)}
        emptyText=""
      />
    </div>
  )
}

const roles = Object.keys(optionalPrompts) as OptionalPrompt[]

export function OptionalPrompts({ form }: FieldsProps) {
  const t = useTexts('compose')
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{t.prompts.optional}</legend>
      {roles.map((role) => (
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
