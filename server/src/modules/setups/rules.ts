import { SetupFields, setupsMax } from '@ghanti/contract/setups.ts'
import type { FieldError } from '../../errors.ts'
import type { WantedPrompt } from '../prompts/rules.ts'

export const tooMany = `is one too many: an account has at most ${setupsMax} set-ups, delete one that you do not need`
export const taken = 'is the name of another of your set-ups'

const single = ['welcomePId', 'menuPId', 'noInputPId', 'wrongInputPId', 'thanksPId'] as const

export function promptsIn(fields: SetupFields): WantedPrompt[] {
  const wanted = single.flatMap((field) => wantedOf(field, fields[field]))
  for (const [section, parts] of Object.entries(fields.prompts ?? {}))
    for (const [index, { promptId }] of (parts ?? []).entries())
      wanted.push(...wantedOf(`prompts.${section}.${index}`, promptId))
  return wanted
}

/** Another release may have stored what this one does not read: that field is a fault, and the others are read. */
export function readFields(stored: unknown): { fields: SetupFields; faults: FieldError[] } {
  const parsed = SetupFields.safeParse(stored)
  if (parsed.success) return { fields: parsed.data, faults: [] }
  const faults = parsed.error.issues.map(({ path, message: text }) => ({
    field: path.map(String).join('.'),
    code: 'invalid' as const,
    text,
  }))
  const unread = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const rest = Object.entries(Object(stored) as object).filter(([field]) => !unread.has(field))
  return { fields: SetupFields.parse(Object.fromEntries(rest)), faults }
}

function wantedOf(field: string, promptId: number | undefined): WantedPrompt[] {
  return promptId === undefined ? [] : [{ field, promptId }]
}
