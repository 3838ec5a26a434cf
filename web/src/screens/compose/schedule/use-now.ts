import { useEffect, useState } from 'react'

const stepMs = 30_000

/** The current time, updated while shown. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), stepMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
