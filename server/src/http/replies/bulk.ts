import { messages } from '@ghanti/contract/messages.ts'
import type { Outcome } from '@ghanti/contract/bulk.ts'
import { inWordsOfFreeze } from '../../db/frozen.ts'
import { AppError, wireOf, type FieldError } from '../../errors.ts'
import type { Ctx } from '../types.ts'

const reasonsMax = 5
const notBegun: Outcome = { status: wireOf.not_ready.status, message: messages.requestFailed, errors: [] }

/**
 * Runs one action on each item, in order and in a transaction of its own, and returns each result. A refusal of one item does not affect
 * the others. An internal error is reported in the same way, since earlier items are done already. When no item was done, the request fails
 * with the first reasons. Closing the connection stops the work between two items.
 */
export async function eachOf({ app, isGone }: Ctx, ids: readonly number[], act: (id: number) => Promise<unknown>) {
  const results: Outcome[] = []
  const refusals: unknown[] = []
  for (const id of ids) results.push(isGone?.() ? notBegun : await outcomeOf(id))
  const done = results.filter(({ status }) => status === 200).length
  if (done === 0) throw failureOf(refusals)
  return { message: done === ids.length ? messages.success : `${done} of ${ids.length} done`, results }

  async function outcomeOf(id: number): Promise<Outcome> {
    try {
      await act(id)
      return { status: 200, message: messages.success, errors: [] }
    } catch (thrown) {
      const error = inWordsOfFreeze(thrown)
      refusals.push(error)
      if (error instanceof AppError)
        return { status: wireOf[error.code].status, message: error.message, errors: [...error.errors] }
      app.log.error({ error, id }, 'one of several actions failed')
      return { status: 500, message: messages.requestFailed, errors: [] }
    }
  }
}

/** The error for a request in which no item succeeded: the first item's error, with the first few reasons. No refusals means no item was started. */
function failureOf(refusals: readonly unknown[]): unknown {
  const [first] = refusals
  if (first === undefined) return new AppError('not_ready')
  const bug = refusals.find((error) => !(error instanceof AppError))
  if (bug !== undefined || !(first instanceof AppError)) return bug
  const reasons = new Map<string, FieldError>()
  for (const error of refusals)
    if (error instanceof AppError) for (const one of error.errors) reasons.set(`${one.field} ${one.text}`, one)
  const { code, message, retryAfterSeconds } = first
  const more = retryAfterSeconds === undefined ? { message } : { message, retryAfterSeconds }
  return new AppError(code, [...reasons.values()].slice(0, reasonsMax), more)
}
