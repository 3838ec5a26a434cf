import type { ListQuery } from '@ghanti/contract/route.ts'
import type { FastifyReply } from 'fastify'
import type { Page } from '../types.ts'

/** Sends the rows, or the object that holds them. The headers carry the page's metadata (docs/api.md#lists). */
export function sendPage(reply: FastifyReply, query: ListQuery, page: Page<unknown>, body: unknown): FastifyReply {
  const paged = query.page !== undefined || query.pageSize !== undefined || query.after !== undefined
  reply.header('cache-control', 'no-store')
  reply.header('x-total-count', page.total)
  if (!page.exact) reply.header('x-total-exact', 'false')
  if (!paged && (!page.exact || page.total > page.rows.length)) reply.header('x-truncated', 'true')
  if (page.next !== undefined) reply.header('x-next-after', page.next)
  if (page.searchedTo !== undefined) reply.header('x-searched-to', page.searchedTo)
  if (page.archivedTo !== undefined) reply.header('x-archived-to', page.archivedTo)
  return reply.send(body)
}
