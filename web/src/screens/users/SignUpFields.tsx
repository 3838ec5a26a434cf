import layout from '../../components/form/Form.module.css'
import type { Form } from '../../components/form/field.ts'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { UserValues } from './user-form.ts'

/** Fields of creation only: the username, and a password, typed twice. */
export function SignUpFields({ form }: { form: Form<UserValues> }) {
  const { fields } = useTexts('users')
  return (
    <div className={layout.group}>
      <TextField form={form} name="username" label={fields.username} required maxLength={100} autoComplete="off" />
      <NewPasswordField form={form} name="password" label={fields.password} required names={form.getValues} />
      <PasswordField form={form} name="confirm" label={fields.confirm} required autoComplete="new-password" />
    </div>
  )
}
