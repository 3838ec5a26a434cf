import { startTransition, useEffect, useState } from 'react'

/** Runs a function as soon as the browser has painted the next frame, which shows the response to a click. Returns a function that cancels it. */
export function afterPaint(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(then)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/**
 * The value as it was before the last frame: a change follows as soon as the browser has painted, so that many rows do not delay the response
 * to a click. `useDeferredValue` may be done before the next frame, which then waits for all of it. The first value comes at once.
 */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value)
  useEffect(
    () => (painted === value ? undefined : afterPaint(() => startTransition(() => setPainted(() => value)))),
    [painted, value],
  )
  return painted ?? value
}

/** Whether the condition has held for a while, because something that is over at once need not show. */
export function useLasting(isSo: boolean, afterMs = 200): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!isSo) return undefined
    const timer = setTimeout(() => setLasts(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLasts(false)
    }
  }, [isSo, afterMs])
  return isSo && lasts
}
