import { messages } from '@ghanti/contract/messages.ts'
import { sessionRoutes } from '@ghanti/contract/sessions.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { NewPasswordField } from '../../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../../components/form/passwords/PasswordField.tsx'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'

const outlasting = () => import('../developers/keys/outlasting.tsx')

type Values = { current: string; password: string; confirm: string }

function validate({ current, password, confirm }: Values): Partial<Values> {
  return {
    ...(current === '' && { current: messages.passwordRequired }),
    ...(password.length < passwordMin && { password: messages.passwordShort }),
    ...(confirm !== password && { confirm: messages.passwordsDiffer }),
  }
}

type ChangePasswordProps = { person: { username: string; name: string }; close: () => void }

/** In a dialog, which knows no session. */
export function ChangePassword({ person, close }: ChangePasswordProps) {
  const { security: t } = useTexts('profile')
  const write = useWrite(sessionRoutes.changePassword, [sessionRoutes.list])
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { current: '', password: '', confirm: '' },
    validate,
  })
  const save = async ({ current, password }: Values) => {
    const { keys = 0 } = await write.mutateAsync({ input: { current, password } })
    close()
    if (keys === 0) return showDone(t.changed)
    await whenLoaded(outlasting, ({ showOutlasting }) => showOutlasting(keys))
  }
  return (
    <DialogForm form={form} save={save} submit={t.change} cancel={t.cancel} close={close} failed={t.changeFailed}>
      <PasswordField form={form} name="current" label={t.current} autoComplete="current-password" required autoFocus />
      <NewPasswordField form={form} name="password" label={t.next} required names={() => person} />
      <PasswordField form={form} name="confirm" label={t.confirm} autoComplete="new-password" required />
    </DialogForm>
  )
}
