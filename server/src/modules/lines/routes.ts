import type { lineRoutes } from '@ghanti/contract/lines.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Ctx, FileReply, Handlers } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { addCli, removeCli, routeCli, updateCli } from './actions-clis.ts'
import { addGroup, groupOf, updateGroup } from './actions-groups.ts'
import { allocate, deallocate, deallocateMany, giveBack } from './actions-holders.ts'
import { uploadClis } from './actions-upload.ts'
import { csvColumns, rowOf } from './rules.ts'
import * as store from './store-list.ts'

async function page({ app, viewer }: Ctx, view: store.CliView, query: ListQuery) {
  const found = await store.list(app.db, viewer, view, query)
  return { ...found, rows: found.rows.map((row) => rowOf(row, viewer.role)) }
}

type Status = '0' | '1' | undefined

async function heldView({ app, viewer }: Ctx, userId: number, cliStatus: Status): Promise<store.CliView> {
  const scope = await scopeOfPath(app.db, viewer, userId)
  return scope.kind === 'platform' ? { kind: 'all', cliStatus } : { kind: 'heldBy', accountId: userId, cliStatus }
}

async function allocatedView(
  { app, viewer }: Ctx,
  userId: number | undefined,
  cliStatus: Status,
): Promise<store.CliView> {
  if (userId !== undefined) await scopeOfPath(app.db, viewer, userId)
  return { kind: 'allocated', accountId: userId, cliStatus }
}

async function csv(ctx: Ctx, input: InputOf<typeof lineRoutes.exportCsv>): Promise<FileReply> {
  const { app, viewer } = ctx
  const { allocated, userId = viewer.userId, trunkId, cliStatus, search } = input
  const isAllocated = viewer.role !== 'user' && (allocated !== undefined || userId !== viewer.userId)
  const held = await heldView(ctx, userId, cliStatus)
  const own: store.CliView = held.kind === 'all' ? { ...held, trunkId } : held
  const view = isAllocated ? await allocatedView(ctx, input.userId, cliStatus) : own
  await audit(app.db, ctx, 'cli.export', null, { ...input })
  const columns = csvColumns(viewer.role, isAllocated)
  async function* rows(): AsyncGenerator<CsvCell[]> {
    for await (const batch of store.all(app.db, viewer, view, search))
      for (const cli of batch) yield Object.values(columns).map((cell) => cell(rowOf(cli, viewer.role)))
  }
  return {
    type: csvType,
    fileName: 'cli.csv',
    body: { stream: csvStream(Object.keys(columns), rows()) },
  }
}

const removeOrGiveBack = (ctx: Ctx, cliId: number) =>
  ctx.viewer.role === 'superAdmin' ? removeCli(ctx, cliId) : giveBack(ctx, cliId)

export const lineHandlers: Handlers<'lines'> = {
  async all(ctx, { trunkId, cliStatus }, query) {
    return await page(ctx, { kind: 'all', trunkId, cliStatus }, query)
  },
  async clisOfUser(ctx, { userId, cliStatus }, query) {
    return await page(ctx, await heldView(ctx, userId, cliStatus), query)
  },
  async allocated(ctx, { userId, cliStatus }, query) {
    return await page(ctx, await allocatedView(ctx, userId, cliStatus), query)
  },
  async exportCsv(ctx, input) {
    return await csv(ctx, input)
  },
  async available({ app, viewer }, _input, query) {
    const found = await store.available(app.db, viewer, query)
    const rows = found.rows.map((cli) => {
      const { cliId, cli: number, channels, cliStatus, pool, members } = rowOf(cli, viewer.role)
      return { cliId, cli: number, channels, cliStatus, pool, members }
    })
    return { ...found, rows }
  },
  async takers({ app, viewer }, _input, query) {
    return await store.takers(app.db, viewer, query)
  },
  async add(ctx, input) {
    return { message: messages.success, cliId: await addCli(ctx, input) }
  },
  async update(ctx, input) {
    await updateCli(ctx, input)
    return { message: messages.success }
  },
  async route(ctx, input) {
    await routeCli(ctx, input)
    return { message: messages.success }
  },
  async addGroup(ctx, input) {
    return { message: messages.success, cliId: await addGroup(ctx, input) }
  },
  async updateGroup(ctx, input) {
    await updateGroup(ctx, input)
    return { message: messages.success }
  },
  async group(ctx, { cliId }) {
    return await groupOf(ctx, cliId)
  },
  async allocate(ctx, { cliRows }) {
    await allocate(ctx, cliRows)
    return { message: messages.success }
  },
  async deallocate(ctx, { cliId, userId }) {
    await deallocate(ctx, cliId, userId)
    return { message: messages.success }
  },
  async deallocateMany(ctx, { allocationIds }) {
    return await deallocateMany(ctx, allocationIds)
  },
  async delete(ctx, { cliId }) {
    await removeOrGiveBack(ctx, cliId)
    return { message: messages.success }
  },
  async deleteMany(ctx, { cliIds }) {
    return await eachOf(ctx, cliIds, (cliId) => removeOrGiveBack(ctx, cliId))
  },
  async upload(ctx, input, { cliFile }) {
    return await uploadClis(ctx, input, cliFile)
  },
}
