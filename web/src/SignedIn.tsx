import { Suspense, useEffect, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { openLiveEvents } from './api/live.ts'
import { useSession } from './api/session.ts'
import { late } from './components/ui/late.tsx'
import { loadTexts } from './i18n/language.ts'
import { routerFor } from './router.tsx'

const Toasts = late(
  async () => {
    const [part] = await Promise.all([import('./components/ui/Toasts.tsx'), loadTexts('goTo')])
    return part
  },
  { floating: true },
)

/** All that is behind the sign-in: one router and one stream of live events a session. */
export default function SignedIn() {
  const { role } = useSession()
  const [router] = useState(() => routerFor(role))
  useEffect(() => openLiveEvents(), [])
  useEffect(() => () => router.dispose(), [router])
  return (
    <>
      <RouterProvider router={router} />
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
    </>
  )
}
