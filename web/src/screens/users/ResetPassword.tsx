import { messages } from '@ghanti/contract/messages.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'

import { showDone } from '../../components/ui/toasts/toasts.ts'
import { failureLines } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import type { RowFormProps } from './actions.tsx'
import classes from './Users.module.css'

/** A new password, typed twice. Whoever sets it has to tell the owner. */
export default function ResetPassword({ user, close }: RowFormProps) {
  const { reset: t } = useTexts('users')
  const [failure, setFailure] = useState<unknown>(null)
  const write = useWrite(userRoutes.resetPassword)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', confirm: '' },
    validate: {
      password: (password) => (password.length < passwordMin ? messages.passwordShort : null),
      confirm: (confirm, { password }) => (confirm === password ? null : messages.passwordsDiffer),
    },
  })
  const save = form.onSubmit(async ({ password }) => {
    setFailure(null)
    try {
      const { message } = await write.mutateAsync({ input: { userId: user.userId, password } })
      close()
      showDone(message)
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  const typed = { autoComplete: 'new-password', required: true } as const
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <p>{t.hint}</p>
      <NewPasswordField form={form} name="password" label={t.password} required autoFocus names={() => user} />
      <PasswordField form={form} name="confirm" label={t.confirm} {...typed} />
      {failure !== null && (
        <div role="alert" className={classes.bad}>
          {failureLines(failure, { userId: user.username }, messages.resetPasswordFailed).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
