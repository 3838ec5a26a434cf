import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { endOf, fileReader, type GivenUp } from '../../workers/file-reader.ts'
import type { LogoType } from './rules-logo.ts'
import type { read } from './worker-reader.ts'

/** `foreign`: it is no picture that is taken, but of this type. `why` continues a sentence after the field's label. */
export type LogoEnd =
  | { kind: 'picture'; type: LogoType }
  | { kind: 'foreign'; type: string }
  | { kind: 'refused'; code: FaultCode; why: string }

const readLogo = fileReader<typeof read>('picture', new URL('./worker-reader.ts', import.meta.url))
const turns = new FairSemaphore(1)

/** Says what a logo is by its content, never by its name or declared type. */
export function logoIn(path: string): Promise<LogoEnd | GivenUp> {
  return turns.run(() => endOf(readLogo({ path }, { paths: [path] })))
}
