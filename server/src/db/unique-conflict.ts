import { DatabaseError } from 'pg'
import { conflict } from '../errors.ts'

/** Runs `write`; when the named unique constraint finds the value taken, throws a conflict that names the field. */
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
