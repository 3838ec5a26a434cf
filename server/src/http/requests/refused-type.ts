/** The type that a refusal names: the declared one, else the detected one. A file whose declared type is accepted is named by what it really is. */
export function refusedType(declared: string, detected: string, taken: readonly string[]): string {
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  return ['', 'application/octet-stream', ...taken].includes(type) ? detected : type
}
