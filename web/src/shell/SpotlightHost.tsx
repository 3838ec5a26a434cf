import { Suspense, useEffect, useState } from 'react'
import { late } from '../components/ui/loading/late.tsx'
import { loadTexts } from '../i18n/language.ts'
import { onGoTo, openGoTo } from './go-to.ts'

/** What was typed while the palette loads, with '\n' for Enter; null before and after that. */
let typed: string | null = null
let isReady = false

/** For its field, as soon as that has the focus. */
function takeTyped(): string {
  const taken = typed ?? ''
  typed = null
  isReady = true
  return taken
}

const Keys = late(() => import('./Keys.tsx'), { floating: true })
const GoTo = late(
  () =>
    Promise.all([import('./GoTo.tsx'), loadTexts('goTo')]).then(
      ([part]) => part,
      (error: unknown) => {
        typed = null // a message comes instead
        throw error
      },
    ),
  { floating: true },
)

/** The shortcuts, and the palette, which Ctrl+K and the header's button open. Its code loads with the first use; what is typed meanwhile becomes its search. */
export function SpotlightHost() {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const cancel = () => {
      typed = null
      setAsked(0)
    }
    const onKey = (event: KeyboardEvent) => {
      const { key } = event
      if (event.ctrlKey || event.metaKey) {
        if (key.toLowerCase() !== 'k') return
        openGoTo()
      } else if (typed === null) return
      else if (key === 'Escape') cancel()
      else if (key === 'Backspace') typed = typed.slice(0, -1)
      else if (key === 'Enter' || key.length === 1) typed += key === 'Enter' ? '\n' : key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKey, true)
    onGoTo(() => {
      if (typed !== null) return cancel()
      if (!isReady) typed = ''
      setAsked((times) => times + 1)
    })
    return () => {
      window.removeEventListener('keydown', onKey, true)
      typed = null
    }
  }, [])
  return (
    <Suspense fallback={null}>
      <Keys />
      {asked > 0 && <GoTo asked={asked} takeTyped={takeTyped} />}
    </Suspense>
  )
}
