import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { badField } from '../errors.ts'

/** The instant that a field's Nepal time means; a day that is in no calendar is refused. */
export function instantOf(field: string, wire: string | undefined): Date | undefined {
  if (wire === undefined) return undefined
  const instant = instantOfNepalTime(wire)
  if (!instant) throw badField(field, 'must look like 2026-11-20 14:30:00')
  return instant
}
