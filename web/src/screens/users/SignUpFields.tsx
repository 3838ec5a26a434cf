import layout from '../../components/form/Form.module.css'
import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Form } from '../../components/form/field.ts'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { Segments } from '../../components/form/Segments.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { UserValues } from './user-form.ts'

/**
 * Fields of creation only: the username, and a pass-phrase that was made up, in whose place another password may be typed twice, or a link mailed with
 * which the owner chooses one.
 */
export default function SignUpFields({ form }: { form: Form<UserValues> }) {
  const { fields, sections, newPhrase, opening, inviteHint } = useTexts('users')
  const [invite, setInvite] = useState(form.getValues().invite)
  const renew = async (onlyIf: () => boolean) => {
    const { newPassPhrase } = await import('./pass-phrase.ts')
    const password = newPassPhrase()
    if (!onlyIf()) return
    // Field by field: the others keep the focus.
    for (const name of ['password', 'confirm'] as const) form.setFieldValue(name, password)
  }
  const begin = useEffectEvent(() => renew(() => form.getValues().password === ''))
  useEffect(() => {
    // Without it, a password can be typed.
    begin().catch(() => {})
  }, [])
  return (
    <div className={layout.group}>
      <h2>{sections.signIn}</h2>
      <TextField form={form} name="username" label={fields.username} required maxLength={100} autoComplete="off" />
      <Segments
        label={opening.label}
        isLabelShown
        value={invite ? 'invite' : 'phrase'}
        data={[
          { value: 'phrase', label: opening.phrase },
          { value: 'invite', label: opening.invite },
        ]}
        onChange={(way) => {
          setInvite(way === 'invite')
          form.setFieldValue('invite', way === 'invite')
        }}
      />
      {invite ? (
        <p className={layout.hint}>{inviteHint}</p>
      ) : (
        <>
          <NewPasswordField
            form={form}
            name="password"
            label={fields.password}
            description={fields.passwordHint}
            required
            isShown
            names={form.getValues}
          />
          <PasswordField
            form={form}
            name="confirm"
            label={fields.confirm}
            required
            isShown
            autoComplete="new-password"
          />
          <div>
            <Button variant="default" size="compact-sm" onClick={() => void renew(() => true)}>
              {newPhrase}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
