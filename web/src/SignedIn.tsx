import { useEffect, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { openLiveEvents } from './api/live.ts'
import { useSession } from './api/session.ts'
import { forgetToasts } from './components/ui/toasts.ts'
import { routerFor } from './router.tsx'

/** All that is behind the sign-in: one router and one stream of live events a session. */
export default function SignedIn() {
  const { role } = useSession()
  const [router] = useState(() => routerFor(role))
  useEffect(() => openLiveEvents(), [])
  useEffect(() => () => router.dispose(), [router])
  useEffect(() => forgetToasts, [])
  return <RouterProvider router={router} />
}
