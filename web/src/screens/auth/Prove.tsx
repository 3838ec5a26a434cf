import { codeDigits, factorRoutes } from '@ghanti/contract/factors.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { call, type SentOf } from '../../api/client.ts'
import { endWait } from '../../api/ended-session.ts'
import { ApiError } from '../../api/error.ts'
import { askForPasskey, passkeyFailure } from '../../api/passkeys.ts'
import { jsonQuery } from '../../api/query.ts'
import dialog from '../../components/ui/dialogs/Dialog.module.css'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuthCard.module.css'
import { LoginFailure } from './LoginFailure.tsx'

/** Before something sensitive, some minutes after the sign-in: a passkey or a code or, without a second factor, the password. */
export default function Prove({ username }: { username: string }) {
  const query = useQuery({ ...jsonQuery(factorRoutes.list, {}), staleTime: 0 })
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={classes.error} aria-busy />
  return <Asked username={username} kinds={kindsOf(query.data)} />
}

type Kind = 'passkey' | 'code' | 'password'

/** What can be used at this address. None: the passkeys are elsewhere, and whoever is here has signed in with a recovery code. */
function kindsOf({ factors, passkeyHost }: ReplyOf<typeof factorRoutes.list>): Kind[] {
  if (factors.length === 0) return ['password']
  const isHere = factors.some(({ passkey }) => passkey !== undefined && passkey.host === passkeyHost)
  const hasApp = factors.some(({ kind }) => kind === 'totp')
  return [...(isHere ? (['passkey'] as const) : []), ...(hasApp ? (['code'] as const) : [])]
}

function Asked({ username, kinds }: { username: string; kinds: readonly Kind[] }) {
  const { proof: t, second, passkeys } = useTexts('factors')
  const auth = useTexts('auth')
  const [kind, setKind] = useState(kinds[0] ?? null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const labels = { passkey: passkeys.one, code: second.code, password: auth.password }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (kind === null) return
    const field = event.currentTarget.elements.namedItem(kind)
    const said = String(new FormData(event.currentTarget).get(kind) ?? '')
    if (said === '' && kind === 'password') return setFailure(new ApiError(0, messages.passwordRequired))
    setBusy(true)
    setFailure(null)
    try {
      await call(factorRoutes.prove, await proofOf(kind, said))
      endWait(true)
    } catch (error) {
      setFailure(passkeyFailure(error, passkeys.failures))
      setBusy(false)
      if (field instanceof HTMLInputElement) field.select()
    }
  }
  const other = kinds.find((one) => one !== kind)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <p className={classes.hint}>{kind === null ? t.elsewhere : t.hints[kind]}</p>
      <input type="hidden" name="username" autoComplete="username" value={username} readOnly />
      <Field kind={kind} label={kind === null ? '' : labels[kind]} isWrong={failure !== null} />
      <div role="alert" className={classes.error}>
        {failure !== null && <Failed error={failure} labels={labels} />}
      </div>
      {(other === 'passkey' || other === 'code') && (
        <Button
          variant="subtle"
          disabled={busy}
          onClick={() => {
            setKind(other)
            setFailure(null)
          }}
        >
          {second.instead[other]}
        </Button>
      )}
      <div className={dialog.buttons}>
        <Button variant="default" disabled={busy} onClick={() => endWait(false)}>
          {t.cancel}
        </Button>
        {kind !== null && (
          <Button type="submit" loading={busy} {...(kind === 'passkey' && { 'data-autofocus': true })}>
            {kind === 'passkey' ? auth.passkeys.use : t.submit}
          </Button>
        )}
      </div>
    </form>
  )
}

async function proofOf(kind: Kind, said: string): Promise<SentOf<typeof factorRoutes.prove>> {
  return kind === 'passkey' ? { passkey: await askForPasskey({ own: true }) } : { [kind]: said }
}

function Field({ kind, label, isWrong }: { kind: Kind | null; label: string; isWrong: boolean }) {
  const { form } = useTexts('common')
  if (kind === 'code')
    return (
      <TextInput
        name="code"
        label={label}
        error={isWrong}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={2 * codeDigits}
        data-autofocus
      />
    )
  if (kind !== 'password') return null
  return (
    <PasswordInput
      name="password"
      label={label}
      error={isWrong}
      aria-invalid={isWrong}
      autoComplete="current-password"
      data-autofocus
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': form.showPassword }}
    />
  )
}

function Failed({ error, labels }: { error: unknown; labels: Readonly<Record<string, string>> }) {
  if (error instanceof ApiError && error.status === 429) return <LoginFailure error={error} />
  return failureTexts(error, labels).helps.map((line) => <div key={line}>{line}</div>)
}
