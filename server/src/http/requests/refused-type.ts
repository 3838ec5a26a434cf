/** The type that a refusal names: the declared one, or the detected one if none was declared or the declared one is accepted. */
export function refusedType(declared: string, detected: string, taken: readonly string[]): string {
  const type = declared.split(';')[0]?.trim().toLowerCase() ?? ''
  return ['', 'application/octet-stream', ...taken].includes(type) ? detected : type
}
