import { notSupported, tooLarge } from '@ghanti/contract/messages.ts'

/**
 * What is wrong with a picked file before it is sent; null when nothing is. `accept` lists extensions and media types ('audio/*' too). A matching extension
 * suffices, because Windows declares CSV files arbitrarily; the server judges the content.
 */
export function fileProblem(
  { name, type, size }: { name: string; type: string; size: number },
  accept: string,
  maxBytes: number,
): string | null {
  const ending = /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? ''
  const taken = accept.split(',')
  const anyOfKind = `${type.split('/', 1)[0]}/*`
  if (![ending, type, anyOfKind].some((one) => one !== '' && taken.includes(one)))
    return notSupported(type || ending || name)
  return size > maxBytes ? tooLarge(size) : null
}
