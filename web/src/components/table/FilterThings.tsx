import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import type { Filter } from '@ghanti/contract/filters.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call, list } from '../../api/client.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './FilterBar.module.css'

type Kind = Extract<Filter['kind'], 'account' | 'trunk' | 'dialer'>
type Thing = { id: number; name: string; note: string }
type Asked = { search?: string; id?: number }

const shownMax = 100

async function thingsOf(kind: Kind, { search, id }: Asked, signal: AbortSignal): Promise<Thing[]> {
  if (kind === 'account') {
    const found = await call(userRoutes.choices, { search, userId: id }, { signal })
    return found.map(({ userId, username, company }) => ({ id: userId, name: username, note: company }))
  }
  const query = { pageSize: shownMax, page: 1, ...(search ? { search } : {}) }
  const { rows } =
    kind === 'trunk'
      ? await list(trunkRoutes.list, {}, { query, signal })
      : await list(dialerRoutes.list, {}, { query, signal })
  const things = rows.map((row) =>
    'trunkId' in row
      ? { id: row.trunkId, name: row.trunkName, note: row.dialerName }
      : { id: row.dialerId, name: row.dialerName, note: row.dialerIP },
  )
  return id === undefined ? things : things.filter((thing) => thing.id === id)
}

const thingsQuery = (kind: Kind, asked: Asked) =>
  queryOptions({ queryKey: ['things', kind, asked], queryFn: ({ signal }) => thingsOf(kind, asked, signal) })

/** What can be chosen: accounts, trunks or dialers with `search` in their names. */
export function useThings(kind: Kind, search: string) {
  return useQuery({ ...thingsQuery(kind, search ? { search } : {}), placeholderData: keepPreviousData })
}

/** What the thing of an id is called; one that is not there any more says so. */
export default function ThingName({ kind, id }: { kind: Kind; id: number }) {
  const t = useTexts('filters')
  const format = useFormat()
  const { data } = useQuery({ ...thingsQuery(kind, { id }), staleTime: 60_000 })
  const name = data === undefined ? '…' : (data[0]?.name ?? t.gone(format.digits(String(id))))
  return <span className={classes.value}>{name}</span>
}
