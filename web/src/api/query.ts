import type { ListQuery, ReplyOf } from '@ghanti/contract/route.ts'
import { keepPreviousData, QueryClient, queryOptions, useMutation, type QueryKey } from '@tanstack/react-query'
import { call, list, type CallRoute, type FilesOf, type ListRoute, type SentOf } from './client.ts'
import { ApiError } from './error.ts'

function worthRetrying(failures: number, error: Error): boolean {
  return (
    failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 502 || error.status === 503)
  )
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: worthRetrying, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** A GET route as a query: `useQuery(jsonQuery(userRoutes.profile, { userId }))`. Its key starts with the route's path. */
export function jsonQuery<R extends CallRoute>(route: R, sent: SentOf<R>) {
  return queryOptions({ queryKey: [route.path, sent], queryFn: ({ signal }) => call(route, sent, { signal }) })
}

/** One page of a list; the previous page stays while the next one loads. */
export function listQuery<R extends ListRoute>(route: R, sent: SentOf<R>, query: ListQuery) {
  return queryOptions({
    queryKey: [route.path, sent, query],
    queryFn: ({ signal }) => list(route, sent, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

export type Sent<R extends CallRoute> = { input: SentOf<R>; files?: FilesOf<R> }

/** A write that reloads what was read from the routes in `stale` once it succeeds. */
export function useWrite<R extends CallRoute>(route: R, stale: readonly { path: string }[] = []) {
  return useMutation<ReplyOf<R>, Error, Sent<R>>({
    mutationFn: ({ input, files }) => call(route, input, files ? { files } : {}),
    onSuccess: () => refresh(...stale),
  })
}

export function refresh(...stale: readonly { path: string }[]): Promise<unknown> {
  return Promise.all(stale.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] satisfies QueryKey })))
}

/** Reloads what was read from these routes where it is shown next. A form that is about to close does not show what it changed. */
export function refreshLater(...stale: readonly { path: string }[]): void {
  for (const { path } of stale)
    void queryClient.invalidateQueries({ queryKey: [path] satisfies QueryKey, refetchType: 'none' })
}

/** Patches a route's cached replies without making them count as fresh. Those marked for reloading are still reloaded. */
export function patchAnswers<Answer>(path: string, change: (answer: Answer) => Answer): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: [path] satisfies QueryKey })) {
    const answer = query.state.data as Answer | undefined
    const changed = answer === undefined ? answer : change(answer)
    if (changed !== answer) query.setState({ data: changed })
  }
}
