import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Anchor, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { basePath } from '../../api/base.ts'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showFailure, showSuccess } from '../../components/ui/dialogs/dialogs.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { AuthCard } from './AuthCard.tsx'
import { useWait } from './wait.ts'
import classes from './AuthCard.module.css'

/** A link has been mailed, though another one: the reader has something to do, and nothing went wrong. */
const isUnconfirmed = (error: unknown) =>
  error instanceof ApiError && error.errors.some(({ code }) => code === 'not_confirmed')

/** Requests the link. As in the catalogue, failures show 'Something went wrong' as a dialog and the cause beside the field. */
export default function ResetPasswordScreen() {
  const t = useTexts('auth')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const [asksToConfirm, setAsksToConfirm] = useState(false)
  const wait = useWait()
  const [sent, setSent] = useState<{ mailbox?: string | undefined; inSeconds?: number | undefined }>()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '' },
    validate: { username: (username) => (username.trim() ? null : messages.usernameRequired) },
  })
  const submit = form.onSubmit(async ({ username }) => {
    setBusy(true)
    setFailure(null)
    setSent(undefined)
    setAsksToConfirm(false)
    try {
      const reply = await call(signInRoutes.resetPwd, { username: username.trim() })
      // Any other message is a failure (specification 1 §8).
      if (reply.message !== messages.linkSent) throw new ApiError(200, reply.message)
      setSent(reply)
      if (reply.inSeconds === undefined)
        showSuccess(reply.message, () => reply.mailbox === undefined && window.location.assign(`${basePath}/login`))
    } catch (error) {
      if (isUnconfirmed(error)) return setAsksToConfirm(true)
      showFailure(new ApiError(error instanceof ApiError ? error.status : 0, messages.somethingWrong))
      setFailure(placeErrors(form, error))
    } finally {
      setBusy(false)
    }
  }, focusInvalid(form))

  return (
    <AuthCard title={t.resetTitle}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <h2 className={classes.title}>{t.resetTitle}</h2>
        <p className={classes.hint}>{t.resetHint}</p>
        <TextField form={form} name="username" label={t.username} autoComplete="username" autoFocus maxLength={100} />
        <div role="alert" className={classes.error}>
          {failure !== null && failureTexts(failure).helps.join(' ')}
        </div>
        <div role="status" className={classes.hint}>
          {asksToConfirm && t.confirmFirst}
          {sent?.inSeconds !== undefined && t.linkFollows(wait(sent.inSeconds))}
        </div>
        {sent?.mailbox !== undefined && (
          <p className={classes.hint}>
            {serverText(messages.linkSent)}. {t.demoMail}{' '}
            <Anchor href={basePath + sent.mailbox} target="_blank" inherit>
              {t.mailbox}
            </Anchor>
          </p>
        )}
        <Button type="submit" loading={busy} fullWidth>
          {t.submitReset}
        </Button>
        <Anchor href={`${basePath}/login`} className={classes.link}>
          {t.toLogin}
        </Anchor>
      </form>
    </AuthCard>
  )
}
