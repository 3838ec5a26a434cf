import { DatabaseError } from 'pg'
import { conflict } from '../errors.ts'

/** Refuses, at its field, a value that the named unique constraint finds taken when `write` stores it. */
export async function refuseTaken<T>(
  { constraint, field, value }: { constraint: string; field: string; value: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === constraint)
      throw conflict(field, `'${value}' is taken`, 'taken')
    throw error
  }
}
