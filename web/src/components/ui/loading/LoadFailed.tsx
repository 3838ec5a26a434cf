import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isOutdated, somethingIsTyped } from '../../../code-loading.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Failure } from '../failures/Failure.tsx'
import classes from '../failures/Failure.module.css'

const firstWaitMs = 1000
const longestWaitMs = 30_000

type LoadFailedProps = { tryAgain: () => Promise<void>; onLoad: () => void; floating: boolean }

/** Shown in place of a part whose code did not load. Retries at growing intervals, when the network is back, and by a button. */
export function LoadFailed({ tryAgain, onLoad, floating }: LoadFailedProps) {
  const { failure } = useTexts('common')
  const [tries, setTries] = useState(0)
  const [outdated, setOutdated] = useState(false)
  const busy = useRef(false)
  const again = async () => {
    if (busy.current) return
    busy.current = true
    try {
      await tryAgain()
      onLoad()
    } catch {
      setOutdated(await isOutdated())
      setTries((before) => before + 1)
    } finally {
      busy.current = false
    }
  }
  const attempt = useEffectEvent(() => void again())
  useEffect(() => {
    if (outdated) return
    const timer = setTimeout(attempt, Math.min(firstWaitMs * 2 ** tries, longestWaitMs))
    const onOnline = () => attempt()
    window.addEventListener('online', onOnline)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
    }
  }, [tries, outdated])
  return (
    <div className={floating ? classes.floating : undefined}>
      <Failure
        error={new Error(outdated ? failure.outdated : failure.notArrived)}
        {...(!outdated && { onRetry: () => void again() })}
      >
        {outdated && (
          <Button variant="default" size="xs" mt="sm" ml="xs" onClick={() => reload(failure.reloadLoses)}>
            {failure.reload}
          </Button>
        )}
      </Failure>
    </div>
  )
}

/** If typed text would be lost, the browser's own dialog asks first, because it needs no further code. */
function reload(question: string): void {
  if (!somethingIsTyped() || window.confirm(question)) window.location.reload()
}
