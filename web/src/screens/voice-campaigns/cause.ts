import type { TextsOf } from '../../i18n/areas.ts'

/** 'SIP 486, cause 17, ended by the network' of the wire with its Q.850 number in words, in the reader's language. What is not known stays as it came. */
export function causeText(cause: string, t: Pick<TextsOf<'voiceCampaigns'>['attempts'], 'causes' | 'enders'>): string {
  return cause
    .split(', ')
    .map((part) => {
      const number = /^cause (\d+)$/.exec(part)?.[1]
      if (number === undefined) return t.enders[part] ?? part
      const words = t.causes[number]
      return words === undefined ? part : `${words} (${number})`
    })
    .join(', ')
}
