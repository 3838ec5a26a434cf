import { templates } from '@ghanti/contract/template-names.ts'
import {
  partSections,
  promptTypes,
  sectionNames,
  spokenColumns,
  type PartSections,
  type PartType,
  type PromptType,
  type SectionName,
  type SpeakingId,
} from '@ghanti/contract/templates.ts'
import type { ComposeForm } from '../form.ts'
import type { Played, PlayedValue } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

const automobile = { auto1: 3, auto2: 4, auto3: 5 } as const

/** The sent id of a card whose calls speak values. */
export function speakingIdOf({ template, templateName }: Pick<ComposeForm, 'template' | 'templateName'>) {
  if (template === '3') return templateName && automobile[templateName]
  return template === '4' ? 6 : template === '5' ? 7 : null
}

type HeardPart = { type: PromptType } | (PlayedValue & { type?: never })
export type HeardSection = { section: SectionName; parts: HeardPart[] }

export function heardSections(id: SpeakingId): HeardSection[] {
  const sections: PartSections = partSections[id]
  let said = 0
  const partOf = (type: PartType): HeardPart => {
    if (isPrompt(type)) return { type }
    const { column = '', kind = 'name' } = spokenColumns(id)[said++] ?? {}
    return { role: type, kind, column }
  }
  return sectionNames.flatMap((section) => {
    const parts = sections[section]
    return parts ? [{ section, parts: parts.map(partOf) }] : []
  })
}

export function isPrompt(type: PartType): type is PromptType {
  return promptTypes.some((prompt) => prompt === type)
}

const keysOfSections: Partial<Record<SectionName, string>> = { optin: '1', optout: '2', action: '3' }
export function keyOfSection(section: SectionName): string | undefined {
  return keysOfSections[section]
}

function promptsOf(id: SpeakingId): PromptType[] {
  return heardSections(id).flatMap(({ parts }) => parts.flatMap(({ type }) => type ?? []))
}

function played(form: ComposeForm, id: SpeakingId): Played[] {
  return heardSections(id).flatMap(({ parts }) =>
    parts.map((part): Played => (part.type === undefined ? part : { role: part.type, promptId: form[part.type] })),
  )
}

function bodyOf(form: ComposeForm, id: SpeakingId) {
  const sections: PartSections = partSections[id]
  const partOf = (type: PartType) => (isPrompt(type) ? { type, promptId: form[type] ?? '' } : { type })
  return {
    templateName: templates[id].name,
    prompts: Object.fromEntries(Object.entries(sections).map(([name, types]) => [name, types.map(partOf)])),
    language: form.language,
    calendar: form.calendar,
  }
}

const Fields = late(() => import('./SpeakingFields.tsx'))

function speaking(card: 3 | 4 | 5, shows: SpeakingId, label: string, does: string): ComposeTemplate {
  const idIn = ({ templateName }: Pick<ComposeForm, 'templateName'>) =>
    speakingIdOf({ template: `${card}`, templateName })
  return {
    id: card,
    shows,
    english: { label, does },
    sample(form) {
      const id = idIn(form)
      return id === null ? 'contacts' : templates[id].name
    },
    sentId: idIn,
    Fields,
    needs(form) {
      const id = idIn(form)
      return id === null ? ['templateName'] : promptsOf(id)
    },
    body(form) {
      const id = idIn(form)
      return id === null ? {} : bodyOf(form, id)
    },
    plays(form) {
      const id = idIn(form)
      return id === null ? [] : played(form, id)
    },
    keys(form) {
      if (card !== 3) return null
      const id = idIn(form)
      return id === null ? [] : heardSections(id).flatMap(({ section }) => keyOfSection(section) ?? [])
    },
    menu: { menuWait: '5', rePrompts: '1' },
  }
}

export const automobileService = speaking(3, 5, 'Automobile Service', 'Says when, asks for an answer')
export const premiumReminder = speaking(4, 6, 'Premium Reminder', 'Says how much and when')
export const serviceReminder = speaking(5, 7, 'Service Reminder', 'Says who, what, how much and when')
