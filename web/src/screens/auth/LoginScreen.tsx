import { demoAccounts, demoPassword } from '@ghanti/contract/auth.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core'
import { Suspense, useEffect, useRef, useState, type SubmitEvent } from 'react'
import { basePath } from '../../api/base.ts'
import { useBranding } from '../../api/branding.ts'
import { ApiError } from '../../api/error.ts'
import { login, type Half } from '../../api/sign-in.ts'
import { useTexts } from '../../i18n/language.ts'
import { AuthCard } from './AuthCard.tsx'
import { hasPasskeys, offersPasskeys } from './has-passkeys.ts'
import { LoginFailure } from './LoginFailure.tsx'
import { SecondStep } from './second-step.ts'
import { Welcome } from './Welcome.tsx'
import classes from './AuthCard.module.css'

export default function LoginScreen() {
  const t = useTexts('auth')
  const common = useTexts('common')
  const { demo } = useBranding()
  const form = useRef<HTMLFormElement>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [half, setHalf] = useState<Half | null>(null)
  const again = (why: unknown) => {
    setHalf(null)
    setFailure(why)
  }
  const [lacking, setLacking] = useState<readonly string[]>([])

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const username = String(given.get('username') ?? '').trim()
    const password = String(given.get('password') ?? '')
    const empty = Object.entries({ username, password }).flatMap(([name, text]) => (text === '' ? name : []))
    setLacking(empty)
    if (empty[0] !== undefined) {
      fieldOf(event.currentTarget, empty[0])?.focus()
      return setFailure(new ApiError(0, messages.loginRequired))
    }
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

  const isAsking = half === null && !busy
  useEffect(() => {
    if (!offersPasskeys || !isAsking) return
    const offered = import('../../api/offer-passkeys.ts').then(
      ({ offerPasskeys }) => offerPasskeys({ busy: setBusy, failed: setFailure }),
      () => undefined, // the form is there
    )
    return () => void offered.then((end) => end?.())
  }, [isAsking])

  if (half) {
    return (
      <AuthCard title={t.title} aside={<Welcome />}>
        <Suspense fallback={null}>
          <SecondStep half={half} again={again} />
        </Suspense>
      </AuthCard>
    )
  }
  return (
    <AuthCard title={t.title} aside={<Welcome />}>
      <form ref={form} onSubmit={(event) => void submit(event)} noValidate className={classes.form}>
        <TextInput
          name="username"
          label={t.username}
          error={lacking.includes('username')}
          autoComplete="username webauthn"
          autoCapitalize="none"
          autoFocus
          spellCheck={false}
        />
        <PasswordInput
          name="password"
          label={t.password}
          error={lacking.includes('password')}
          aria-invalid={lacking.includes('password')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': common.form.showPassword }}
        />
        <div role="alert" className={classes.error}>
          {failure !== null && <LoginFailure error={failure} />}
        </div>
        <Button type="submit" loading={busy} fullWidth>
          {t.submit}
        </Button>
        {hasPasskeys && (
          <Button variant="default" fullWidth disabled={busy} onClick={() => void usePasskey()}>
            {t.passkeys.use}
          </Button>
        )}
        <Anchor href={`${basePath}/reset-pwd`} className={classes.link}>
          {t.resetLink}
        </Anchor>
      </form>
      {demo && <DemoAccounts onPick={(username) => fillIn(form.current, username)} />}
    </AuthCard>
  )
}

/** One of each role; the others are there to show whose customers they are. */
const persons = ['user', 'reseller', 'superadmin'] as const
const others = demoAccounts.filter((username) => !persons.some((person) => person === username))

function DemoAccounts({ onPick }: { onPick: (username: string) => void }) {
  const t = useTexts('auth')
  return (
    <section className={classes.demo} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">{t.demo.title}</h2>
      <p>{t.demo.password(demoPassword)}</p>
      <div className={classes.persons}>
        {persons.map((username) => (
          <button key={username} type="button" className={classes.person} onClick={() => onPick(username)}>
            <b>{username}</b> <span>{t.demo.persons[username]}</span>
          </button>
        ))}
      </div>
      <div className={classes.accounts}>
        {others.map((username) => (
          <Button key={username} variant="default" size="xs" onClick={() => onPick(username)}>
            {username}
          </Button>
        ))}
      </div>
    </section>
  )
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name)
  return field instanceof HTMLInputElement ? field : null
}

function fillIn(form: HTMLFormElement | null, username: string): void {
  for (const [name, value] of Object.entries({ username, password: demoPassword })) {
    const field = fieldOf(form, name)
    if (field) field.value = value
  }
  form?.querySelector<HTMLElement>('[type=submit]')?.focus()
}
