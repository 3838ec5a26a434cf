import { keysTaken, type Flow } from '@ghanti/callflow/flow.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { FieldError } from '../../errors.ts'

export const notTaken = (key: string): string => `is for key ${key}, which the campaign does not take`

/** A name of a key that no menu takes is a mistake, because nothing would ever show it. `flow` undefined: the keys are not known. */
export function labelProblems(keyLabels: KeyLabels | undefined, flow: Flow | undefined): FieldError[] {
  if (!keyLabels || !flow) return []
  const taken = keysTaken(flow)
  return Object.keys(keyLabels)
    .filter((key) => !taken.has(key))
    .map((key) => ({ field: `keyLabels.${key}`, code: 'invalid', text: notTaken(key) }))
}
