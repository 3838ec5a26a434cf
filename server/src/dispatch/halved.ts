import { DatabaseError } from 'pg'

/**
 * Writes a batch. One that the database refuses for what is in it is halved, down to what is at fault, which `refused` is told of. Any other error (no
 * connection, a deadlock) is nobody's fault: it is thrown, and the batch may be tried again.
 */
export async function halved<T>(
  all: readonly T[],
  write: (some: readonly T[]) => Promise<void>,
  refused: (one: T, error: DatabaseError) => Promise<void> | void,
): Promise<void> {
  const [only, second] = all
  if (only === undefined) return
  try {
    await write(all)
  } catch (error) {
    if (!isOfContent(error)) throw error
    if (second === undefined) return await refused(only, error)
    const half = Math.ceil(all.length / 2)
    await halved(all.slice(0, half), write, refused)
    await halved(all.slice(half), write, refused)
  }
}

/** 21 is a wrong number of rows, 22 bad data, 23 a constraint, P0 an error that a function or a trigger raised, XX a fault inside the database. */
function isOfContent(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && /^(2[123]|P0|XX)/.test(error.code ?? '')
}
