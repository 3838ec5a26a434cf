import type { TemplateId } from './template-names.ts'

export const spokenKinds = ['amount', 'date', 'month', 'token', 'name', 'service'] as const
export type SpokenKind = (typeof spokenKinds)[number]

type SpokenColumn = { column: string; kind: SpokenKind }
const spoken: Partial<Record<TemplateId, readonly SpokenColumn[]>> = {
  3: [
    { column: 'date', kind: 'date' },
    { column: 'token', kind: 'token' },
  ],
  4: [{ column: 'date', kind: 'date' }],
  5: [
    { column: 'date1', kind: 'date' },
    { column: 'date2', kind: 'date' },
    { column: 'date3', kind: 'date' },
  ],
  6: [
    { column: 'amount', kind: 'amount' },
    { column: 'date', kind: 'date' },
  ],
  7: [
    { column: 'client_name', kind: 'name' },
    { column: 'service_name', kind: 'service' },
    { column: 'amount', kind: 'amount' },
    { column: 'month', kind: 'month' },
  ],
}

/** The contact columns that a template speaks, in the order of a file without header. */
export function spokenColumns(id: TemplateId): readonly SpokenColumn[] {
  return spoken[id] ?? []
}

/** Those that any template speaks. */
export const spokenNames: readonly string[] = [
  ...new Set(Object.values(spoken).flatMap((columns) => columns.map(({ column }) => column))),
]

export const languages = ['ne', 'en'] as const
export type Language = (typeof languages)[number]
export const calendars = ['ad', 'bs'] as const
export type Calendar = (typeof calendars)[number]
export const calendarOfLanguage: Record<Language, Calendar> = { ne: 'bs', en: 'ad' }

/** Wire types of a spoken value between two prompts. */
export const spokenTypes = ['date1', 'date2', 'date3', 'token1', 'amount1', 'company1', 'service1', 'month1'] as const
export type SpokenType = (typeof spokenTypes)[number]

/** Wire types of a prompt among several. menu5 is consultancy's own: its menus have no types on the wire. */
export const promptTypes = [
  'menu1',
  'menu2',
  'menu3',
  'menu4',
  'menu5',
  'optin1',
  'optin2',
  'optout1',
  'optout2',
  'action1',
  'action2',
] as const
export type PromptType = (typeof promptTypes)[number]

/**
 * The parts of the speaking templates by section, in order (docs/api.md#templates). `welcome` comes first, each other section after its
 * key. The nth spoken part says the template's nth column.
 */
export const partSections = {
  3: { welcome: ['menu1', 'date1', 'menu2'], optin: ['optin1', 'token1', 'optin2'] },
  4: { welcome: ['menu1', 'date1', 'menu2'], optin: ['optin1'] },
  5: {
    welcome: ['menu1', 'date1', 'menu2'],
    optin: ['optin1'],
    optout: ['optout1', 'date2', 'optout2'],
    action: ['action1', 'date3', 'action2'],
  },
  6: { welcome: ['menu1', 'amount1', 'menu2', 'date1', 'menu3'] },
  7: { welcome: ['menu1', 'company1', 'menu2', 'service1', 'menu3', 'amount1', 'menu4', 'month1'] },
} as const satisfies Partial<Record<TemplateId, PartSections>>
export type SpeakingId = keyof typeof partSections
export const sectionNames = ['welcome', 'optin', 'optout', 'action'] as const
export type SectionName = (typeof sectionNames)[number]
export type PartType = PromptType | SpokenType
export type PartSections = Partial<Record<SectionName, readonly PartType[]>>

/** The keys that each consultancy menu may accept (specification 1 §3). */
export const consultancyKeys = [
  ['1', '2', '3'],
  ['1', '2'],
  ['1', '2', '3'],
  ['1', '2'],
  ['1', '2'],
] as const satisfies readonly (readonly DtmfKey[])[]

/** The keys that a menu may accept; # is not one. */
export const dtmfKeys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*'] as const
export type DtmfKey = (typeof dtmfKeys)[number]

export const menuWaitSecondsMax = 9
export const rePromptMax = 3

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
