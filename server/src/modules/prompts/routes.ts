import { rangeOf } from '@ghanti/contract/range.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { InputOf, ListQuery } from '@ghanti/contract/route.ts'
import { promptCategories } from '@ghanti/contract/templates.ts'
import { isStored } from '../../drivers/files/driver.ts'
import { AppError } from '../../errors.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { ownScope, scopeOf, scopeOfFilter, scopeOfPath, type Scope } from '../../policy.ts'
import { isForDialer } from '../dialers/actions-dialers.ts'
import { decidePrompt, deletePrompt, uploadPrompt } from './actions.ts'
import { fileNameOf, promptStatuses, rowOf } from './rules.ts'
import * as store from './store.ts'

type Filters = InputOf<(typeof promptRoutes)['listAll']> & { exceptOf?: number }

async function page({ app }: Ctx, within: Scope, filters: Filters, query: ListQuery) {
  const { promptStatus, promptCategory: categories, exceptOf, uploaded, customer } = filters
  const scope = await scopeOfFilter(app.db, within, 'customer', customer)
  const statuses =
    promptStatus && promptStatuses.filter((_, code) => promptStatus.some((wire) => Number(wire) === code))
  const range = rangeOf(uploaded, app.clock.now())
  const filter = { statuses, categories, ...range, ...(exceptOf !== undefined && { exceptOf }) }
  const found = await store.list(app.db, scope, filter, query)
  return { ...found, rows: found.rows.map(rowOf) }
}

export const promptHandlers: Handlers<'prompts'> = {
  async categories() {
    return promptCategories.map((promptCategory) => ({ promptCategory }))
  },
  async upload(ctx, { fileName, promptCategory }, { waveFile }) {
    const { promptId, notes } = await uploadPrompt(ctx, { name: fileName, category: promptCategory, wave: waveFile })
    return { message: messages.success, promptId, ...(notes.length > 0 && { notes: [...notes] }) }
  },
  async listAll(ctx, filters, query) {
    return await page(ctx, scopeOf(ctx.viewer), filters, query)
  },
  async listOfCustomers(ctx, filters, query) {
    const { viewer } = ctx
    return await page(ctx, scopeOf(viewer), { ...filters, exceptOf: viewer.userId }, query)
  },
  async list(ctx, { userId, ...filters }, query) {
    const { app, viewer } = ctx
    const isOwn = userId === viewer.userId && viewer.role !== 'superAdmin'
    return await page(ctx, isOwn ? ownScope(viewer) : await scopeOfPath(app.db, viewer, userId), filters, query)
  },
  async delete(ctx, { promptId }) {
    await deletePrompt(ctx, promptId)
    return { message: messages.success }
  },
  async approve(ctx, { promptId }) {
    await decidePrompt(ctx, { promptId, status: 'approved', reason: null })
    return { message: messages.success }
  },
  async reject(ctx, { promptId, reason }) {
    await decidePrompt(ctx, { promptId, status: 'rejected', reason: reason ?? null })
    return { message: messages.success }
  },
  async approveMany(ctx, { promptIds }) {
    return await eachOf(ctx, promptIds, (promptId) => decidePrompt(ctx, { promptId, status: 'approved', reason: null }))
  },
  async rejectMany(ctx, { promptIds, reason = null }) {
    return await eachOf(ctx, promptIds, (promptId) => decidePrompt(ctx, { promptId, status: 'rejected', reason }))
  },
  async sound({ app }, { sound, signature }) {
    const hash = sound.replace(/\.wav$/, '')
    const isThere = (await isForDialer(app, hash, signature)) && (await isStored(app.files, hash))
    if (!isThere) throw new AppError('not_found')
    return { type: 'audio/wav', fileName: sound, inline: true, body: { hash }, cache: 'forever' }
  },
  async listen({ app, viewer }, { userId, fileName }) {
    const prompt = await store.findByName(app.db, scopeOf(viewer), userId, fileName)
    if (!prompt) throw new AppError('not_found')
    return { type: 'audio/wav', fileName: fileNameOf(prompt.name), inline: true, body: { hash: prompt.wav_hash } }
  },
}
