import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { useQuery } from '@tanstack/react-query'
import { call, type SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'

export const sendersQuery = (userId: number) => listQuery(smsSenderRoutes.list, { userId }, {})
export const isApproved = ({ cliStatus }: { cliStatus: number }) => cliStatus === approvalCode.approved

export type PreviewBody = SentOf<typeof smsComposeRoutes.preview>

/** What the file of this body gives and costs, and what a row of it reads. While one body replaces another of the same file, what was there stays. */
export function useSmsPreview(body: PreviewBody | null) {
  const asked: Partial<PreviewBody> = body ?? {}
  const preview = useQuery({
    queryKey: [smsComposeRoutes.preview.path, asked] as const,
    queryFn: ({ signal }) => call(smsComposeRoutes.preview, body ?? { baseId: 0 }, { signal }),
    enabled: body !== null,
    placeholderData: (before, query) => (query?.queryKey[1].baseId === body?.baseId ? before : undefined),
    staleTime: 60_000,
  })
  return body === null ? { ...preview, data: undefined, error: null } : preview
}
