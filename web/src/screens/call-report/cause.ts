import type { TextsOf } from '../../i18n/areas.ts'
import { serverText } from '../../i18n/language.ts'

type Attempt = { cause: string; disposition: string }
type Words = Pick<TextsOf<'callReport'>['attempts'], 'causes' | 'silent' | 'enders'>

/** Of nobody who picks up, whether it rang or not: 'telephone does not respond', 'nobody picked up'. */
const silentCauses: ReadonlySet<string> = new Set(['18', '19', '102'])

/**
 * 'SIP 486, cause 17, ended by the network' of the wire with its Q.850 number in words, in the reader's language. What is not known stays as
 * it came. Congestion with a cause of silence is a call of which nothing was heard: no telephone rang.
 */
export function causeText({ cause, disposition }: Attempt, t: Words): string {
  return cause
    .split(', ')
    .map((part) => {
      const number = /^cause (\d+)$/.exec(part)?.[1]
      if (number === undefined) return t.enders[part] ?? serverText(part)
      const silent = disposition === 'CONGESTION' && silentCauses.has(number)
      const words = silent ? t.silent : t.causes[number]
      return words === undefined ? part : `${words} (${number})`
    })
    .join(', ')
}
