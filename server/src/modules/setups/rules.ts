import type { SetupFields } from '@ghanti/contract/setups.ts'
import { setupsMax } from '@ghanti/contract/setups.ts'
import type { WantedPrompt } from '../prompts/rules.ts'

export const tooMany = `is one too many: an account has at most ${setupsMax} set-ups, delete one that you do not need`
export const taken = 'is the name of another of your set-ups'

const single = ['welcomePId', 'menuPId', 'noInputPId', 'wrongInputPId', 'thanksPId'] as const

/** The voice files that the fields name, as compose's errors name the fields. */
export function promptsIn(fields: SetupFields): WantedPrompt[] {
  const wanted = single.flatMap((field) => wantedOf(field, fields[field]))
  for (const [section, parts] of Object.entries(fields.prompts ?? {}))
    for (const [index, { promptId }] of (parts ?? []).entries())
      wanted.push(...wantedOf(`prompts.${section}.${index}`, promptId))
  return wanted
}

function wantedOf(field: string, promptId: number | undefined): WantedPrompt[] {
  return promptId === undefined ? [] : [{ field, promptId }]
}
