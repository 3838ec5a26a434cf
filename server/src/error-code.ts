/** Of an error of Node: 'ENOENT'; undefined: it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
