import { AppError, type FieldError } from '../../errors.ts'

/** Collects everything wrong with a request, so that the reply names every field at once. */
export class Problems {
  readonly errors: FieldError[] = []
  #conflictsOnly = true

  add(errors: readonly FieldError[]): void {
    this.errors.push(...errors)
    if (errors.length > 0) this.#conflictsOnly = false
  }

  /** The result of `work`, or undefined when it refused. */
  async of<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'bad_input' && error.code !== 'conflict')) throw error
      this.errors.push(...error.errors)
      if (error.code === 'bad_input') this.#conflictsOnly = false
      return undefined
    }
  }

  refuseIfAny(): void {
    if (this.errors.length > 0) throw new AppError(this.#conflictsOnly ? 'conflict' : 'bad_input', this.errors)
  }
}
