import { Suspense, useEffect, useState } from 'react'
import { late } from '../components/ui/late.tsx'

const GoTo = late(() => import('./GoTo.tsx'), { floating: true })

/** Ctrl+K goes anywhere; its code comes with the first use. */
export function SpotlightHost() {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setAsked((times) => times + 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  if (asked === 0) return null
  return (
    <Suspense fallback={null}>
      <GoTo key={asked} />
    </Suspense>
  )
}
