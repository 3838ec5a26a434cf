import { customerRoutes } from '@ghanti/contract/customers.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { refresh, useWrite } from '../../api/query.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { RowFormProps } from './actions.tsx'
import { ChannelsField } from './ChannelsField.tsx'
import { required } from './user-form.ts'
import classes from './Users.module.css'

/** Changes only the channels, from the list, so that one account's unused ones can go to another. */
export default function ChangeChannels({ user, giverId, close }: RowFormProps) {
  const t = useTexts('users')
  const format = useFormat()
  const [failure, setFailure] = useState<unknown>(null)
  const write = useWrite(userRoutes.changeChannels, [
    userRoutes.list,
    userRoutes.channels,
    userRoutes.profile,
    customerRoutes.detail,
  ])
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { channels: String(user.channels ?? '') },
    validate: { channels: required },
  })
  const before = user.channels
  const undo =
    before === null ? undefined : () => write.mutateAsync({ input: { userId: user.userId, channels: String(before) } })
  const save = form.onSubmit(async ({ channels }) => {
    setFailure(null)
    try {
      await write.mutateAsync({ input: { userId: user.userId, channels: channels.trim() } })
      close()
      showDone(t.channels.changed(user.username, format.digits(channels.trim())), undo)
    } catch (error) {
      placeErrors(form, error)
      setFailure(error)
      void refresh(userRoutes.channels)
    }
  }, focusInvalid(form))
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <p>{t.channels.hint}</p>
      <ChannelsField
        form={form}
        giverId={giverId}
        giver={user.isChild ? null : user.parentUser}
        user={user}
        autoFocus
      />
      {failure !== null && (
        <p className={classes.bad} role="alert">
          {failureTexts(failure).message}
        </p>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.channels.submit}
        </Button>
      </div>
    </form>
  )
}
