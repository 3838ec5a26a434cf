import { messages } from '@ghanti/contract/messages.ts'
import type { Outcome } from '@ghanti/contract/several.ts'
import { AppError, wireOf } from '../errors.ts'
import type { Ctx } from './types.ts'

/**
 * Does the same to each, in its order and in a transaction of its own, and answers what became of each: what is refused about one keeps none of
 * the others from being done. A failure of the server's own is told in the same way, since those before it have been done.
 */
export async function eachOf({ app }: Ctx, ids: readonly number[], act: (id: number) => Promise<unknown>) {
  const results: Outcome[] = []
  for (const id of ids) results.push(await outcomeOf(id))
  const done = results.filter(({ status }) => status === 200).length
  return { message: done === ids.length ? messages.success : `${done} of ${ids.length} done`, results }

  async function outcomeOf(id: number): Promise<Outcome> {
    try {
      await act(id)
      return { status: 200, message: messages.success, errors: [] }
    } catch (error) {
      if (error instanceof AppError)
        return { status: wireOf[error.code].status, message: error.message, errors: [...error.errors] }
      app.log.error({ error, id }, 'one of several failed')
      return { status: 500, message: messages.requestFailed, errors: [] }
    }
  }
}
