import { DatabaseError } from 'pg'
import { conflict } from '../errors.ts'

/** Turns the named unique constraint's violation into a conflict about the field. */
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
