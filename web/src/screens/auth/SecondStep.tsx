import { codeDigits } from '@ghanti/contract/factors.ts'
import { Button, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { ApiError } from '../../api/error.ts'
import { askForPasskey, passkeyFailure } from '../../api/passkeys.ts'
import { prove, type Half, type Proof } from '../../api/sign-in.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuthCard.module.css'
import { LoginFailure } from './LoginFailure.tsx'

type SecondStepProps = {
  half: Half
  /** The password is asked for once more, and why. */
  again: (why: unknown) => void
}

/** Wrong so often, or so late, that the password is asked for once more. */
const isOver = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.errors.some(({ field, code }) => code === 'tried' || (code === 'over' && field === 'ticket'))

const kindOf = { passkey: 'passkey', totp: 'code', recovery: 'recoveryCode' } as const
type Kind = (typeof kindOf)[keyof typeof kindOf]

/** The account has a second factor: a passkey of this address, a code, or one of the recovery codes. */
export default function SecondStep({ half, again }: SecondStepProps) {
  const { second: t, passkeys } = useTexts('factors')
  const auth = useTexts('auth')
  const kinds = half.factors.map((factor) => kindOf[factor])
  const [kind, setKind] = useState<Kind>(kinds[0] ?? 'code')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const labels = { passkey: passkeys.one, code: t.code, recoveryCode: t.recoveryCode, ticket: t.ticket }
  const proofOf = async (form: HTMLFormElement): Promise<Proof> => {
    if (kind === 'passkey') return { passkey: await askForPasskey({ ticket: half.ticket }) }
    const said = String(new FormData(form).get(kind) ?? '').trim()
    return kind === 'code' ? { code: said } : { recoveryCode: said }
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem(kind)
    setBusy(true)
    setFailure(null)
    try {
      await prove(half, await proofOf(event.currentTarget))
    } catch (error) {
      if (isOver(error)) return again(new ApiError(0, failureTexts(error, labels).helps.join(' ')))
      setFailure(passkeyFailure(error, passkeys.failures))
      setBusy(false)
      if (field instanceof HTMLInputElement) field.select()
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
      <h2 className={classes.title}>{t.title}</h2>
      <p className={classes.hint}>{t.hints[kind]}</p>
      {kind !== 'passkey' && (
        <TextInput
          key={kind}
          name={kind}
          label={labels[kind]}
          error={failure !== null}
          autoComplete={kind === 'code' ? 'one-time-code' : 'off'}
          inputMode={kind === 'code' ? 'numeric' : 'text'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          data-autofocus
          {...(kind === 'code' && { maxLength: 2 * codeDigits })}
        />
      )}
      <div role="alert" className={classes.error}>
        {failure !== null && <Failed error={failure} labels={labels} />}
      </div>
      <Button
        type="submit"
        loading={busy}
        fullWidth
        {...(kind === 'passkey' && { autoFocus: true, 'data-autofocus': true })}
      >
        {kind === 'passkey' ? auth.passkeys.use : auth.submit}
      </Button>
      {kinds
        .filter((other) => other !== kind)
        .map((other) => (
          <Button
            key={other}
            variant="default"
            fullWidth
            disabled={busy}
            onClick={() => {
              setKind(other)
              setFailure(null)
            }}
          >
            {t.instead[other]}
          </Button>
        ))}
      <Button variant="subtle" fullWidth disabled={busy} onClick={() => again(null)}>
        {auth.toLogin}
      </Button>
      <p className={classes.hint}>{t.lost}</p>
    </form>
  )
}

function Failed({ error, labels }: { error: unknown; labels: Readonly<Record<string, string>> }) {
  if (error instanceof ApiError && error.status === 429) return <LoginFailure error={error} />
  return failureTexts(error, labels).helps.map((line) => <div key={line}>{line}</div>)
}
