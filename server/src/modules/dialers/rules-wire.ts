import { nepalTimeOf } from '@ghanti/contract/time.ts'

/** A line's last failure as the wire has it. */
export function failureOf(reason: string | null, at: Date | null): { reason: string; at: string } | null {
  return reason === null || at === null ? null : { reason, at: nepalTimeOf(at) }
}
