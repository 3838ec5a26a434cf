import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { useQuery } from '@tanstack/react-query'
import { call, type SentOf } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { jsonQuery, listQuery } from '../../api/query.ts'

export const clisQuery = (userId: number) => listQuery(lineRoutes.clisOfUser, { userId }, { sort: 'cli' })
/** The caller ID of a user who has only one. */
export function useOnlyCli(): string | null {
  const clis = useQuery(clisQuery(useSession().userId)).data?.rows.filter(({ cliStatus }) => cliStatus === 1) ?? []
  return clis.length === 1 ? (clis[0]?.cli ?? null) : null
}

export const basesQuery = (userId: number) => jsonQuery(contactRoutes.bases, { userId })

export function promptsQuery(userId: number, status: 'approved' | 'pending' = 'approved') {
  const promptStatus = status === 'approved' ? '1' : '0'
  return listQuery(promptRoutes.list, { userId, promptStatus }, {})
}

type PreviewBody = SentOf<typeof composeRoutes.preview>
export type Preview = ReplyOf<typeof composeRoutes.preview>

/** What the body's file gives and costs. Keeps the previous figures while another body of the same file loads. */
export function usePreview(body: PreviewBody | null) {
  const preview = useQuery({
    queryKey: [composeRoutes.preview.path, body ?? {}] as const,
    // Stops that begin or end change when calls start.
    meta: { dependsOnDialling: true },
    queryFn: ({ signal }) => call(composeRoutes.preview, body ?? {}, { signal }),
    enabled: body !== null,
    // Calling hours begin and end meanwhile.
    refetchInterval: 60_000,
    placeholderData: (before, query) => (query?.queryKey[1].baseId === body?.baseId ? before : undefined),
    staleTime: 60_000,
  })
  return body === null ? { ...preview, data: undefined, error: null } : preview
}
