import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { Anchor, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { showFailure, showSuccess } from '../../components/ui/dialogs/dialogs.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { AuthCard } from './AuthCard.tsx'
import classes from './AuthCard.module.css'

/** The link does not reveal the account. */
const noNames = () => ({})

type Values = { password: string; confirm: string }

function validate({ password, confirm }: Values): Partial<Values> {
  if (!password) return { password: messages.passwordRequired }
  if (password.length < passwordMin) return { password: messages.passwordShort }
  if (!confirm) return { confirm: messages.confirmRequired }
  return password === confirm ? {} : { confirm: messages.passwordsDiffer }
}

/** Opened from the mailed link, which ends in `token`. */
export default function UpdatePasswordScreen({ token }: { token: string }) {
  const t = useTexts('auth')
  const [busy, setBusy] = useState(false)
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues: { password: '', confirm: '' }, validate })
  const submit = form.onSubmit(async ({ password }) => {
    setBusy(true)
    try {
      const { message, keys = 0 } = await call(signInRoutes.updatePwd, { password, token })
      // The console asks for the sign-in first, and then shows the keys, which the password has not ended.
      const next = keys === 0 ? '/login' : '/developers'
      const said = keys === 0 ? message : `${serverText(message)}. ${t.keysLeft(keys)}`
      showSuccess(said, () => window.location.assign(`${basePath}${next}`))
    } catch (error) {
      const rest = placeErrors(form, error)
      showFailure(named(error, rest), { token: t.theLink }, true)
    } finally {
      setBusy(false)
    }
  }, focusInvalid(form))

  return (
    <AuthCard title={t.updateTitle}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <h2 className={classes.title}>{t.updateTitle}</h2>
        <NewPasswordField form={form} name="password" label={t.password} autoFocus names={noNames} />
        <PasswordField form={form} name="confirm" label={t.confirm} autoComplete="new-password" />
        <Button type="submit" loading={busy} fullWidth>
          {t.submitUpdate}
        </Button>
        <Anchor href={`${basePath}/reset-pwd`} className={classes.link}>
          {t.newLink}
        </Anchor>
      </form>
    </AuthCard>
  )
}

/** 'Parameters Incorrect' reads 'Password Reset Failed' here; errors of fields stand beside them. */
function named(error: unknown, rest: unknown): unknown {
  if (!(error instanceof ApiError) || error.message !== messages.badInput) return error
  return new ApiError(error.status, messages.passwordResetFailed, rest instanceof ApiError ? rest.errors : [])
}
