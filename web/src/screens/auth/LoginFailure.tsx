import { messages } from '@ghanti/contract/messages.ts'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { useWait } from './wait.ts'

/** The catalogue's texts: 'Bad credentials' reads 'Wrong username or password.'; throttling says how long to wait. */
export function LoginFailure({ error }: { error: unknown }) {
  const t = useTexts('auth')
  if (error instanceof ApiError && error.message === messages.badCredentials) return serverText(messages.wrongLogin)
  if (error instanceof ApiError && error.status === 429 && error.retryAfterSeconds !== null)
    return <Throttled seconds={error.retryAfterSeconds} />
  return failureTexts(error, { username: t.account, passkey: t.passkeys.one }).helps.map((line) => (
    <div key={line}>{line}</div>
  ))
}

/** Counts down; screen readers announce only the first value. */
function Throttled({ seconds }: { seconds: number }) {
  const t = useTexts('auth')
  const wait = useWait()
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const endsAt = performance.now() + seconds * 1000
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))), 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return <span role="timer">{left > 0 ? t.tryAgainIn(wait(left)) : t.tryAgain}</span>
}
