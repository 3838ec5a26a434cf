import type { PlainRole, PromptRole } from '@ghanti/callflow/template.ts'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import type { FieldName } from '../fields.ts'
import type { ComposeForm } from '../form.ts'

export const optionalPrompts = {
  welcome: 'withWelcome',
  noInput: 'withNoInput',
  wrongInput: 'withWrongInput',
  thanks: 'withThanks',
} as const satisfies Partial<Record<PlainRole, keyof ComposeForm>>
export type OptionalPrompt = keyof typeof optionalPrompts
export const optionalRoles = Object.keys(optionalPrompts) as OptionalPrompt[]

/** The prompt if its checkbox is ticked, else null. Unticking keeps the choice in the form. */
function ticked(form: ComposeForm, role: OptionalPrompt): string | null {
  return form[optionalPrompts[role]] ? form[role] : null
}

/** The fields of every template with one menu (1 and 2). */
export function menuNeeds(form: ComposeForm): FieldName[] {
  const wanted = optionalRoles.filter((role) => form[optionalPrompts[role]])
  return ['menu', 'menuWait', 'rePrompts', ...wanted]
}

export function menuBody(form: ComposeForm) {
  return {
    menuPId: form.menu ?? '',
    menuWaitTime: form.menuWait,
    rePrompt: form.rePrompts,
    welcomePId: ticked(form, 'welcome') ?? '',
    noInputPId: ticked(form, 'noInput') ?? '',
    wrongInputPId: ticked(form, 'wrongInput') ?? '',
    thanksPId: ticked(form, 'thanks') ?? '',
  }
}

export function menuPlays(form: ComposeForm): PlayedPrompt[] {
  const played: PlayedPrompt[] = [
    { role: 'welcome', promptId: ticked(form, 'welcome') },
    { role: 'menu', promptId: form.menu },
    { role: 'noInput', promptId: ticked(form, 'noInput') },
    { role: 'wrongInput', promptId: ticked(form, 'wrongInput') },
    { role: 'thanks', promptId: ticked(form, 'thanks') },
  ]
  return played.filter(({ promptId }) => promptId !== null)
}

export type PlayedPrompt = { role: PromptRole; promptId: string | null }
export type PlayedValue = { role: string; kind: SpokenKind; column: string }
export type Played = PlayedPrompt | PlayedValue
