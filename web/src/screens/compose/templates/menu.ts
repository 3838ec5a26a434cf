import type { PlainRole, PromptRole } from '@ghanti/callflow/template.ts'
import type { SpokenKind } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'
import type { ComposeForm } from '../form.ts'

/** A required Select; the error continues a sentence after the field's label. */
export const Chosen = z.string({ error: 'is required' })

export const optionalPrompts = {
  welcome: 'withWelcome',
  noInput: 'withNoInput',
  wrongInput: 'withWrongInput',
  thanks: 'withThanks',
} as const satisfies Partial<Record<PlainRole, keyof ComposeForm>>
export type OptionalPrompt = keyof typeof optionalPrompts

/** The prompt if its checkbox is ticked, else null. Unticking keeps the choice in the form. */
function ticked(form: ComposeForm, role: OptionalPrompt): string | null {
  return form[optionalPrompts[role]] ? form[role] : null
}

/** The fields of every template with one menu (1 and 2). */
export function menuSchema(form: ComposeForm): Record<string, z.ZodMiniType> {
  const wanted = Object.entries(optionalPrompts).filter(([, tick]) => form[tick])
  return {
    menu: Chosen,
    menuWait: Chosen,
    rePrompts: Chosen,
    ...Object.fromEntries(wanted.map(([role]) => [role, Chosen])),
  }
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
