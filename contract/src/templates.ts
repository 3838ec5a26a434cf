/** The sent ids (spec 1 §9) with the names and labels of WIRE.md. */
export const templates = [
  { id: 0, name: 'simple', label: 'Simple IVR', typeLabel: 'Simple IVR' },
  { id: 1, name: 'dtmf', label: 'DTMF Input', typeLabel: 'DTMF' },
  { id: 2, name: 'patch', label: 'Call Patch', typeLabel: 'Call Patch' },
] as const

export type TemplateId = (typeof templates)[number]['id']

/** The label in the summary; blank for an id that is not in the table (spec 1 §4). */
export function templateTypeLabel(templateId: number): string {
  return templates.find((template) => template.id === templateId)?.typeLabel ?? ''
}

/** The keys that a menu may accept; # is no key (WIRE.md). */
export const dtmfKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*'] as const
export type DtmfKey = (typeof dtmfKeys)[number]

export const menuWaitSecondsMax = 9
export const rePromptMax = 3
export const callDurationSmsMax = 60

export const promptCategories = [
  'welcome',
  'menu',
  'noinput',
  'wronginput',
  'thanks',
  'optin',
  'optout',
  'action',
] as const
export type PromptCategory = (typeof promptCategories)[number]
