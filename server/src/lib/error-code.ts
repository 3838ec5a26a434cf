/** The code of an error of Node, such as 'ENOENT'. Undefined: it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** The message of an error. Anything may have been thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
