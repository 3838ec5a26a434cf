import { messages } from '@ghanti/contract/messages.ts'
import { sessionRoutes } from '@ghanti/contract/sessions.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { logout, refreshSession, type Session } from '../../api/session.ts'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

type Values = { current: string; password: string; confirm: string }

function validate({ current, password, confirm }: Values): Partial<Values> {
  return {
    ...(current === '' && { current: messages.passwordRequired }),
    ...(password.length < passwordMin && { password: messages.passwordShort }),
    ...(confirm !== password && { confirm: messages.passwordsDiffer }),
  }
}

/** After a sign-in with a password that an account above chose. The console follows once it is changed. */
export default function FirstPassword({ session: { username, name } }: { session: Session }) {
  const t = useTexts('auth')
  const [busy, setBusy] = useState(false)
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', confirm: '' },
    validate,
  })
  const submit = form.onSubmit(async ({ current, password }) => {
    setBusy(true)
    try {
      const { keys = 0 } = await call(sessionRoutes.changePassword, { current, password })
      await refreshSession()
      if (keys > 0) (await import('../developers/keys/outlasting.tsx')).showOutlasting(keys)
    } catch (error) {
      const rest = placeErrors(form, error)
      if (rest !== null) showFailure(rest, { account: t.account })
    } finally {
      setBusy(false)
    }
  }, focusInvalid(form))
  return (
    <AuthCard title={t.first.title}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <h2 className={classes.title}>{t.first.title}</h2>
        <p className={classes.hint}>{t.first.hint}</p>
        <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
        <PasswordField form={form} name="current" label={t.first.current} autoComplete="current-password" autoFocus />
        <NewPasswordField form={form} name="password" label={t.first.next} names={() => ({ username, name })} />
        <PasswordField form={form} name="confirm" label={t.first.confirm} autoComplete="new-password" />
        <Button type="submit" loading={busy} fullWidth>
          {t.first.submit}
        </Button>
        <Button variant="default" fullWidth disabled={busy} onClick={() => void logout()}>
          {t.first.leave}
        </Button>
      </form>
    </AuthCard>
  )
}
