import { NoticesEvent, noticesPath } from '@ghanti/contract/notice-events.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient, refresh } from './query.ts'

const newsKey = ['notices-news']

/** Set by live events; empty until the first one. */
const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: (): { unread: number } => ({ unread: 0 }),
  enabled: false,
  staleTime: Infinity,
})

export function useUnreadNotices(): number {
  return useQuery(newsQuery).data?.unread ?? 0
}

export function takeNews(data: string): void {
  queryClient.setQueryData(newsKey, NoticesEvent.parse(JSON.parse(data)))
  void refresh({ path: noticesPath })
}
