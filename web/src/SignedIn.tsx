import { Suspense, useEffect, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { useSession } from './api/session.ts'
import { late } from './components/ui/loading/late.tsx'
import { loadTexts } from './i18n/language.ts'
import { routerFor } from './router.tsx'

const Toasts = late(
  async () => {
    const [part] = await Promise.all([import('./components/ui/toasts/Toasts.tsx'), loadTexts('goTo')])
    return part
  },
  { floating: true },
)

// Started without delay, because changes before it has loaded are missed; nothing visible waits for it.
const LiveEvents = late(() => import('./api/LiveEvents.tsx'), { floating: true })
void LiveEvents.preload()

export default function SignedIn() {
  const { role } = useSession()
  const [router] = useState(() => routerFor(role))
  useEffect(() => () => router.dispose(), [router])
  return (
    <>
      <RouterProvider router={router} />
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
      <Suspense fallback={null}>
        <LiveEvents />
      </Suspense>
    </>
  )
}
