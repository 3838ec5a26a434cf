import { useEffect, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

const tickMs = 200

/** The seconds left, starting when it is first shown. */
export function Countdown({ ms }: { ms: number }) {
  const t = useTexts('previewCall')
  const format = useFormat()
  const [left, setLeft] = useState(ms)
  useEffect(() => {
    const endsAt = performance.now() + ms
    const timer = setInterval(() => setLeft(Math.max(0, endsAt - performance.now())), tickMs)
    return () => clearInterval(timer)
  }, [ms])
  // Not announced each second: the status beside it says what is waited for.
  return (
    <span role="timer" data-numeric>
      {t.secondsLeft(format.count(Math.ceil(left / 1000)))}
    </span>
  )
}
