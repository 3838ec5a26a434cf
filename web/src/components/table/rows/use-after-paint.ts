import { startTransition, useEffect, useState } from 'react'

/**
 * The value as it was before the last frame: a change follows as soon as the browser has painted, so that many rows do not hold up its answer
 * to a click. `useDeferredValue` may be done before the next frame, which then waits for all of it. The first value comes at once.
 */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value)
  useEffect(() => {
    if (painted === value) return
    // A timer that is under way when the value changes again is harmless: the next one follows it.
    const frame = requestAnimationFrame(() => {
      setTimeout(() => startTransition(() => setPainted(() => value)))
    })
    return () => cancelAnimationFrame(frame)
  }, [painted, value])
  return painted ?? value
}
