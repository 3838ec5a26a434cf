import type { Role } from '@ghanti/contract/roles.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunction, LoaderFunctionArgs } from 'react-router'
import { queryClient } from './query.ts'
import { sessionQuery } from './session.ts'

type LoaderContext = {
  params: LoaderFunctionArgs['params']
  url: URL
  userId: number
  role: Role
  prefetch: QueryClient['prefetchQuery']
}

/**
 * A route loader that starts the screen's queries while its code loads, and waits for none.
 *   export const loader = screenLoader(({ userId, prefetch }) => void prefetch(jsonQuery(userRoutes.profile, { userId })))
 */
export function screenLoader(start: (context: LoaderContext) => void): LoaderFunction {
  return ({ params, request }) => {
    const session = queryClient.getQueryData(sessionQuery.queryKey)
    if (!session) return null
    const { userId, role } = session
    const prefetch: QueryClient['prefetchQuery'] = (options) => queryClient.prefetchQuery(options)
    start({ params, url: new URL(request.url), userId, role, prefetch })
    return null
  }
}
