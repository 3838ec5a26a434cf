import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { csvOfLists } from '../../csv/lists.ts'
import type { ListCsv } from '../../csv/columns.ts'
import { badField } from '../../errors.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import type { HttpPorts } from '../ports.ts'
import type { Ctx, FileReply, Page } from '../types.ts'

const rowsAtOnce = 1000

/** Accounts take turns reading pages for files, so one account's long downloads do not slow down anyone else's. */
const pages = new FairSemaphore(2, { ofEach: 1 })

/** Whether the client wants the list as a file, which counts as an export. Runs before the query is validated. */
export function asksForCsv({ kind }: Route, query: unknown): boolean {
  return kind === 'list' && typeof query === 'object' && query !== null && 'format' in query && query.format === 'csv'
}

/** The columns of the list's CSV. For a list without one, the error names the call that exports its rows. */
function csvOf(key: RouteKey): ListCsv<unknown> {
  const found = (csvOfLists as Partial<Record<RouteKey, (typeof csvOfLists)[keyof typeof csvOfLists]>>)[key]
  if (!found || 'none' in found) throw badField('format', `cannot be csv here: ${found?.none ?? 'this is no list'}`)
  if ('file' in found) throw badField('format', `cannot be csv here: ${pathOf(found.file)} has these rows as a file`)
  return found as ListCsv<unknown>
}

function pathOf(key: RouteKey): string {
  const [area, name] = key.split('.') as [keyof typeof routes, string]
  return ownValue(routes[area] as Readonly<Record<string, Route>>, name)?.path ?? key
}

/**
 * Every row of a list that matches, page after page as the reader reads. The first page is read before the reply starts, so that what the list
 * refuses is refused here.
 */
export async function listCsv(
  key: RouteKey,
  ctx: Ctx,
  input: Readonly<Record<string, unknown>>,
  query: ListQuery,
  { exported, read }: Pick<HttpPorts, 'exported'> & { read: (query: ListQuery) => Promise<Page<unknown>> },
): Promise<FileReply> {
  const { fileName, columns: columnsOf } = csvOf(key)
  const paging = (['page', 'pageSize', 'after'] as const).find((name) => query[name] !== undefined)
  if (paging) throw badField(paging, 'must be left out: a CSV has all rows')
  const columns = columnsOf(ctx.viewer)
  const pageAfter = (after: string | undefined) =>
    pages.run(() => read({ ...query, after, pageSize: rowsAtOnce }), ctx.viewer.userId)
  const first = await pageAfter(undefined)
  await exported(ctx, fileName, { ...input, search: query.search })
  async function* rows(): AsyncGenerator<CsvCell[]> {
    for (let page = first; ; page = await pageAfter(page.next)) {
      for (const row of page.rows) yield Object.values(columns).map((cell) => cell(row))
      if (page.next === undefined) return
    }
  }
  return { type: csvType, fileName, body: { stream: csvStream(Object.keys(columns), rows()) } }
}
