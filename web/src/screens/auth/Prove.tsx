import { codeDigits, factorRoutes } from '@ghanti/contract/factors.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { call } from '../../api/client.ts'
import { endWait } from '../../api/ended-session.ts'
import { ApiError } from '../../api/error.ts'
import { jsonQuery } from '../../api/query.ts'
import dialog from '../../components/ui/dialogs/Dialog.module.css'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuthCard.module.css'
import { LoginFailure } from './LoginFailure.tsx'

/** Before something sensitive, some minutes after the sign-in: a code of the second factor or, without one, the password. */
export default function Prove({ username }: { username: string }) {
  const query = useQuery({ ...jsonQuery(factorRoutes.list, {}), staleTime: 0 })
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={classes.error} aria-busy />
  return <Asked username={username} kind={query.data.factors.length > 0 ? 'code' : 'password'} />
}

function Asked({ username, kind }: { username: string; kind: 'code' | 'password' }) {
  const { proof: t, second } = useTexts('factors')
  const auth = useTexts('auth')
  const common = useTexts('common')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const labels = { code: second.code, password: auth.password }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem(kind)
    const said = String(new FormData(event.currentTarget).get(kind) ?? '')
    if (said === '' && kind === 'password') return setFailure(new ApiError(0, messages.passwordRequired))
    setBusy(true)
    setFailure(null)
    try {
      await call(factorRoutes.prove, { [kind]: said })
      endWait(true)
    } catch (error) {
      setFailure(error)
      setBusy(false)
      if (field instanceof HTMLInputElement) field.select()
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <p className={classes.hint}>{t.hints[kind]}</p>
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      {kind === 'code' ? (
        <TextInput
          name="code"
          label={labels.code}
          error={failure !== null}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={2 * codeDigits}
          data-autofocus
        />
      ) : (
        <PasswordInput
          name="password"
          label={labels.password}
          error={failure !== null}
          aria-invalid={failure !== null}
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': common.form.showPassword }}
        />
      )}
      <div role="alert" className={classes.error}>
        {failure !== null && <Failed error={failure} labels={labels} />}
      </div>
      <div className={dialog.buttons}>
        <Button variant="default" disabled={busy} onClick={() => endWait(false)}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={busy}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}

function Failed({ error, labels }: { error: unknown; labels: Readonly<Record<string, string>> }) {
  if (error instanceof ApiError && error.status === 429) return <LoginFailure error={error} />
  return failureTexts(error, labels).helps.map((line) => <div key={line}>{line}</div>)
}
