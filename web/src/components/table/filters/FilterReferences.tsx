import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import type { ReferenceKind } from '@ghanti/contract/filters.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call, list } from '../../../api/client.ts'
import { useSession } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './FilterBar.module.css'

type Reference = { id: number; name: string; note: string }
type Asked = { userId: number; search?: string; id?: number }

const shownMax = 100
/** Usually one of the newest is meant; others are found by search. */
const campaignsMax = 20

async function referencesOf(
  kind: ReferenceKind,
  { userId, search, id }: Asked,
  signal: AbortSignal,
): Promise<Reference[]> {
  if (kind === 'account') {
    const found = await call(userRoutes.choices, { search, userId: id }, { signal })
    return found.map(({ userId, username, company }) => ({ id: userId, name: username, note: company }))
  }
  if (kind === 'campaign') {
    const asked = { page: 1, pageSize: campaignsMax, sort: 'scheduleTime', order: 'desc' } as const
    const words = id === undefined ? search : `#${id}`
    const { rows } = await list(voiceCampaignRoutes.list, { userId }, { query: { ...asked, search: words }, signal })
    const found = rows.map((row) => ({
      id: row.campaignId,
      name: row.campaignName,
      note: `#${row.campaignId} · ${row.username}`,
    }))
    return id === undefined ? found : found.filter((one) => one.id === id)
  }
  const query = { pageSize: shownMax, page: 1, ...(search ? { search } : {}) }
  const { rows } =
    kind === 'trunk'
      ? await list(trunkRoutes.list, {}, { query, signal })
      : await list(dialerRoutes.list, {}, { query, signal })
  const found = rows.map((row) =>
    'trunkId' in row
      ? { id: row.trunkId, name: row.trunkName, note: row.dialerName }
      : { id: row.dialerId, name: row.dialerName, note: row.dialerIP },
  )
  return id === undefined ? found : found.filter((one) => one.id === id)
}

const referencesQuery = (kind: ReferenceKind, asked: Asked) =>
  queryOptions({ queryKey: ['references', kind, asked], queryFn: ({ signal }) => referencesOf(kind, asked, signal) })

/** Accounts, campaigns, trunks or dialers whose name contains `search`. */
export function useReferences(kind: ReferenceKind, search: string) {
  const { userId } = useSession()
  return useQuery({
    ...referencesQuery(kind, { userId, ...(search ? { search } : {}) }),
    placeholderData: keepPreviousData,
  })
}

export default function ReferencedName({ kind, id }: { kind: ReferenceKind; id: number }) {
  const { userId } = useSession()
  const t = useTexts('filters')
  const format = useFormat()
  const { data } = useQuery({ ...referencesQuery(kind, { userId, id }), staleTime: 60_000 })
  const name = data === undefined ? '…' : (data[0]?.name ?? t.gone(format.digits(String(id))))
  return <span className={classes.value}>{name}</span>
}
