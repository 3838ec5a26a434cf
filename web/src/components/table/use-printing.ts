import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is being printed. The browser prints what is on the page when its event has been handled, hence flushSync. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const follow = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'))
    const events = ['beforeprint', 'afterprint']
    for (const event of events) addEventListener(event, follow)
    return () => {
      for (const event of events) removeEventListener(event, follow)
    }
  }, [])
  return printing
}
