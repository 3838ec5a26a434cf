import {
  partSections,
  promptTypes,
  spokenColumns,
  type PartSections,
  type PartType,
  type PromptType,
  type SpeakingId,
  type SpokenType,
} from '@ghanti/contract/templates.ts'
import type { Menu, Part } from '../flow.ts'
import { spokenMsMax } from '../speech/words.ts'
import { requiredPart, type FlowInput, type Template } from '../template.ts'

const sectionOfKey = [
  ['1', 'optin'],
  ['2', 'optout'],
  ['3', 'action'],
] as const

/** auto1, auto2, auto3, insurance1 and service_reminder1: prompts alternate with values from the contact's row. */
export const speakingTemplates: Readonly<Record<SpeakingId, Template>> = {
  3: speakingTemplate(3),
  4: speakingTemplate(4),
  5: speakingTemplate(5),
  6: speakingTemplate(6),
  7: speakingTemplate(7),
}

function speakingTemplate(id: SpeakingId): Template {
  const sections: PartSections = partSections[id]
  const types = [...(sections.welcome ?? []), ...sectionOfKey.flatMap(([, section]) => sections[section] ?? [])]
  const asks = sectionOfKey.some(([, section]) => sections[section])
  return {
    id,
    required: types.filter(isPrompt),
    optional: [],
    keys: asks ? 'fixed' : 'none',
    build(input) {
      if (!input.speech) throw new Error(`template ${id} needs a language`)
      const partOf = partsBy(id, types, input)
      const welcome = (sections.welcome ?? []).map(partOf)
      return {
        templateId: id,
        opening: asks ? [] : welcome,
        menus: asks ? [menuOf(sections, input, partOf)] : [],
        closing: [],
        speech: input.speech,
        spoken: spokenColumns(id).map((spoken) => ({ ...spoken })),
      }
    },
  }
}

function isPrompt(type: PartType): type is PromptType {
  return promptTypes.some((prompt) => prompt === type)
}

function partsBy(id: SpeakingId, types: readonly PartType[], input: FlowInput): (type: PartType) => Part {
  const spoken = types.filter((type): type is SpokenType => !isPrompt(type))
  return (type) => {
    if (isPrompt(type)) return requiredPart(input, type)
    const column = spoken.indexOf(type)
    const kind = spokenColumns(id)[column]?.kind
    if (!kind) throw new Error(`template ${id} has no column for ${type}`)
    return { kind: 'spoken', type, column, durationMs: spokenMsMax[kind] }
  }
}

function menuOf(sections: PartSections, input: FlowInput, partOf: (type: PartType) => Part): Menu {
  return {
    name: 'menu',
    ask: (sections.welcome ?? []).map(partOf),
    keys: sectionOfKey.flatMap(([digit, name]) => {
      const section = sections[name]
      return section ? [{ digit, action: { type: 'end' as const, say: section.map(partOf) } }] : []
    }),
    waitMs: input.menuWaitSeconds * 1000,
    rePrompts: input.rePrompts,
    noInput: [],
    wrongInput: [],
    unanswered: 'end',
  }
}
