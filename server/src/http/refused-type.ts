/**
 * The type that a refusal names: as declared, else as detected. A file that says to be of a type that is taken is named by what it is.
 */
export function refusedType(declared: string, detected: string, taken: readonly string[]): string {
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  return ['', 'application/octet-stream', ...taken].includes(type) ? detected : type
}
