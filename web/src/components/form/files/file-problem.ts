import { notSupported, tooLarge } from '@ghanti/contract/messages.ts'
import { insteadOf, kindOf } from './file-kinds.ts'

/**
 * Why a picked file is refused before it is sent; null when it is not. `accept` lists extensions and media types ('audio/*' too). A matching
 * extension suffices, because Windows declares CSV files arbitrarily; the server checks the content.
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
    return unsupported(type, ending, accept) ?? notSupported(type || ending || name)
  return size > maxBytes ? tooLarge(size) : null
}

/** '{type}' of the specifications as people call it, and what to do; null when people have no name for it. */
function unsupported(type: string, ending: string, accept: string): string | null {
  const kind = kindOf(type, ending)
  if (kind === null) return null
  const instead = insteadOf(kind, accept)
  return instead === null ? notSupported(kind) : `${notSupported(kind)}. ${instead}`
}
