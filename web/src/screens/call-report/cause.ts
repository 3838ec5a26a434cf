import { ownValue } from '@ghanti/contract/own-values.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { serverText } from '../../i18n/language.ts'

type Attempt = { cause: string; disposition: string }
type Words = Pick<TextsOf<'callReport'>['attempts'], 'causes' | 'silent' | 'enders'>

/** Q.850 causes of no answer, whether or not it rang. */
const silentCauses: ReadonlySet<string> = new Set(['18', '19', '102'])

/**
 * The wire's 'SIP 486, cause 17, ended by the network' with the Q.850 number in the reader's words. Unknown texts stay. Congestion with a
 * cause of silence means that no telephone rang.
 */
export function causeText({ cause, disposition }: Attempt, t: Words): string {
  return cause
    .split(', ')
    .map((part) => {
      const number = /^cause (\d+)$/.exec(part)?.[1]
      if (number === undefined) return ownValue(t.enders, part) ?? serverText(part)
      const silent = disposition === 'CONGESTION' && silentCauses.has(number)
      const words = silent ? t.silent : ownValue(t.causes, number)
      return words === undefined ? part : `${words} (${number})`
    })
    .join(', ')
}
