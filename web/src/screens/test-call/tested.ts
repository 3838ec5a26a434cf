import type { testCallRoutes } from '@ghanti/contract/test-calls.ts'
import type { SentOf } from '../../api/client.ts'

/** Whose flow is tried, from which caller ID, for how much. */
export type Tested = {
  userId: number
  source: { campaignId: number } | { body: Omit<SentOf<typeof testCallRoutes.composed>, 'numbers' | 'row'> }
  cli: string
  /** Its calls say values of a row. */
  speaks: boolean
  /** Rupees; perAgentMinute null: a call with an agent costs more by the minute, nobody knows here how much. */
  prices: { oneCallAtMost: number; perAgentMinute: number | null }
  /** The names of the form's fields that the server may refuse. */
  labels?: Readonly<Record<string, string>>
}

/** One number a line, or with commas between; blank ones are none. */
export function numbersOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((number) => number.trim())
    .filter((number) => number !== '')
}
