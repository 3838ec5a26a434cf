import { messages } from '@ghanti/contract/messages.ts'
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { Suspense, useState, type SubmitEvent } from 'react'
import type { Asked } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { endWait } from '../../api/ended-session.ts'
import { leaveEndedSession } from '../../api/session.ts'
import { login, type Half } from '../../api/sign-in.ts'
import dialog from '../../components/ui/dialogs/Dialog.module.css'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuthCard.module.css'
import { hasPasskeys } from './has-passkeys.ts'
import { LoginFailure } from './LoginFailure.tsx'
import { Prove, SecondStep } from './second-step.ts'

/** Above a form in a dialog, and above toasts. */
const zIndex = 500
const nothing = () => undefined

type SignInAgainProps = { username: string; asks: Asked }

/** Over a page whose session the server has ended, or of which it wants a proof. What was typed stays, and what was asked for is done afterwards. */
export default function SignInAgain({ username, asks }: SignInAgainProps) {
  const t = useTexts('auth')
  const isProof = asks === 'proof'
  return (
    <Modal
      opened
      onClose={isProof ? () => endWait(false) : nothing}
      withCloseButton={false}
      closeOnEscape={isProof}
      closeOnClickOutside={false}
      title={isProof ? t.proof : t.ended}
      centered
      lockScroll={false}
      size="sm"
      radius="md"
      zIndex={zIndex}
      classNames={{ title: dialog.title }}
      transitionProps={{ duration: 0 }}
    >
      <Suspense fallback={<div className={classes.error} aria-busy />}>
        {isProof ? <Prove username={username} /> : <Again username={username} />}
      </Suspense>
    </Modal>
  )
}

function Again({ username }: { username: string }) {
  const t = useTexts('auth')
  const common = useTexts('common')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [half, setHalf] = useState<Half | null>(null)
  const again = (why: unknown) => {
    setHalf(null)
    setFailure(why)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (password === '') return setFailure(new ApiError(0, messages.loginRequired))
    setBusy(true)
    setFailure(null)
    try {
      setHalf(await login(username, password))
    } catch (error) {
      setFailure(error)
    }
    setBusy(false)
  }
  const usePasskey = async () => {
    setBusy(true)
    setFailure(null)
    const { loginByPasskey, passkeyFailure } = await import('../../api/passkeys.ts')
    await loginByPasskey().catch((error: unknown) => setFailure(passkeyFailure(error, t.passkeys)))
    setBusy(false)
  }
  if (half) return <SecondStep half={half} again={again} />
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <p className={classes.hint}>{t.endedHint}</p>
      <TextInput
        name="username"
        label={t.username}
        value={username}
        readOnly
        variant="filled"
        autoComplete="username"
      />
      <PasswordInput
        name="password"
        label={t.password}
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': common.form.showPassword }}
      />
      <div role="alert" className={classes.error}>
        {failure !== null && <LoginFailure error={failure} />}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={leaveEndedSession} disabled={busy}>
          {t.leave}
        </Button>
        {hasPasskeys && (
          <Button variant="default" disabled={busy} onClick={() => void usePasskey()}>
            {t.passkeys.use}
          </Button>
        )}
        <Button type="submit" loading={busy}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
