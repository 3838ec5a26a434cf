import { Suspense, useEffect, useState } from 'react'
import { late } from '../components/ui/loading/late.tsx'
import { loadTexts } from '../i18n/language.ts'
import { onGoTo, openGoTo } from './go-to.ts'

const Keys = late(() => import('./Keys.tsx'), { floating: true })
const GoTo = late(
  async () => {
    const [part] = await Promise.all([import('./GoTo.tsx'), loadTexts('goTo')])
    return part
  },
  { floating: true },
)

/** The shortcuts, and the palette, which Ctrl+K and the header's button open; its code loads with the first use. */
export function SpotlightHost() {
  const [asked, setAsked] = useState(0)
  useEffect(() => onGoTo(() => setAsked((times) => times + 1)), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      openGoTo()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return (
    <Suspense fallback={null}>
      <Keys />
      {asked > 0 && <GoTo asked={asked} />}
    </Suspense>
  )
}
