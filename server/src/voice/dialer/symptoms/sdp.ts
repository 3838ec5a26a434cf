import type { SipMessage } from '../../../drivers/telephony/driver.ts'
import { headerValues } from '../../../lib/sip-headers.ts'

/** Longer descriptions are not read, and no more of a call's. */
const bytesMax = 10_000
const answersMax = 20

/** How an operator's answers contradict themselves about the payload numbers of RTP, so that keys may be lost. A sentence. */
export const contradictions = {
  unlisted: (described: number) => `it describes payload number ${described} for keys and does not list it`,
  twice: (payload: number) => `it gives payload number ${payload} two meanings`,
  several: (one: number, other: number) => `it gives keys both payload number ${one} and ${other}`,
  changed: (before: number, after: number) =>
    `it gives keys payload number ${before} in one answer and ${after} in the next`,
}

/** Null: the messages have no answer that describes sound. `contradiction` null: their answers agree. */
export function sdpOf(messages: readonly SipMessage[]): { contradiction: string | null } | null {
  /** The payload number of keys by To, since each telephone that a call reaches may choose its own. */
  const keysOf = new Map<string, number>()
  let isDescribed = false
  const answers = messages.filter(({ sent, text }) => !sent && text.startsWith('SIP/2.0 ')).slice(0, answersMax)
  for (const { text } of answers) {
    const audio = audioOf(text)
    if (!audio) continue
    isDescribed = true
    const own = contradictionWithin(audio)
    if (own) return { contradiction: own }
    const [keys] = audio.keys
    if (keys === undefined) continue
    const to = headerValues(text, 'to', 't')[0] ?? ''
    const before = keysOf.get(to)
    if (before !== undefined && before !== keys) return { contradiction: contradictions.changed(before, keys) }
    keysOf.set(to, keys)
  }
  return isDescribed ? { contradiction: null } : null
}

/** `names`: what each payload number is said to be. `keys`: those of telephone-event at 8 kHz, in order. */
type Audio = { listed: ReadonlySet<number>; names: readonly (readonly [number, string])[]; keys: readonly number[] }

function audioOf(text: string): Audio | null {
  const begin = text.indexOf('\r\n\r\n')
  if (begin === -1 || text.length - begin > bytesMax) return null
  let listed: Set<number> | null = null
  const names: [number, string][] = []
  for (const line of text.slice(begin + 4).split('\n')) {
    if (line.startsWith('m=')) {
      if (listed) break // another stream
      if (line.startsWith('m=audio ')) listed = new Set(line.trim().split(' ').slice(3).map(Number))
    } else if (listed && line.startsWith('a=rtpmap:')) {
      const [number = '', name = ''] = line.slice('a=rtpmap:'.length).trim().split(' ')
      if (/^\d{1,3}$/.test(number)) names.push([Number(number), name.toLowerCase()])
    }
  }
  if (!listed) return null
  const keys = names.flatMap(([number, name]) => (name === 'telephone-event/8000' ? [number] : []))
  return { listed, names, keys: [...new Set(keys)] }
}

function contradictionWithin({ listed, names, keys }: Audio): string | null {
  const meaning = new Map<number, string>()
  for (const [number, name] of names) {
    const before = meaning.get(number)
    if (before !== undefined && before !== name) return contradictions.twice(number)
    meaning.set(number, name)
  }
  const [one, other] = keys
  if (one !== undefined && other !== undefined) return contradictions.several(one, other)
  return one !== undefined && !listed.has(one) ? contradictions.unlisted(one) : null
}
