import type { testCallRoutes } from '@ghanti/contract/test-calls.ts'
import type { SentOf } from '../../api/client.ts'

export type Tested = {
  userId: number
  source: { campaignId: number } | { body: Omit<SentOf<typeof testCallRoutes.composed>, 'numbers' | 'row'> }
  cli: string
  speaks: boolean
  /** Rupees. perAgentMinute null: a call with an agent costs more per minute, but the price is unknown here. */
  prices: { oneCallAtMost: number; perAgentMinute: number | null }
  /** Labels of form fields that the server may refuse. */
  labels?: Readonly<Record<string, string>>
}

/** One number per line or separated by commas; skips blank ones. */
export function numbersOf(text: string): string[] {
  return text
    .split(/[\n,;]/)
    .map((number) => number.trim())
    .filter((number) => number !== '')
}
