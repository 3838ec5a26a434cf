import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type SentOf } from '../../api/client.ts'
import { listQuery } from '../../api/query.ts'

export const sendersQuery = (userId: number) => listQuery(smsSenderRoutes.list, { userId }, {})
export const isApproved = ({ cliStatus }: { cliStatus: number }) => cliStatus === approvalCode.approved

export type PreviewBody = SentOf<typeof smsComposeRoutes.preview>

/** What the body's file gives and costs, and what one row reads. Keeps the previous reply while another body of the same file loads. */
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

type Columns = readonly string[] | null

/** The file's columns are kept while the next preview loads or fails: without them its text cannot be checked. */
export function useFormPreview(baseId: number | null, bodyFor: (baseId: number, columns: Columns) => PreviewBody) {
  const [known, setKnown] = useState<{ baseId: number; columns: Columns } | null>(null)
  const columns = known !== null && known.baseId === baseId ? known.columns : null
  const preview = useSmsPreview(baseId === null ? null : bodyFor(baseId, columns))
  const found = preview.data?.columns
  if (found && baseId !== null && columns?.join() !== found.join()) setKnown({ baseId, columns: found })
  return { preview, columns }
}
