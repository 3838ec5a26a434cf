import { nepalTimeOf } from '@ghanti/contract/time.ts'

export function failureOf(reason: string | null, at: Date | null): { reason: string; at: string } | null {
  return reason === null || at === null ? null : { reason, at: nepalTimeOf(at) }
}
