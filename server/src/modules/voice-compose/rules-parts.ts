import type { PromptRole } from '@ghanti/callflow/template.ts'
import type { PromptsInput } from '@ghanti/contract/parts.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import {
  consultancyKeys,
  partSections,
  promptTypes,
  sectionNames,
  type DtmfKey,
  type PartSections,
  type PartType,
  type PromptType,
  type SectionName,
  type SpeakingId,
} from '@ghanti/contract/templates.ts'

/** A prompt that compose names; errors about it are reported at `field`. */
export type ChosenPrompt = { role: PromptRole; promptId: number; field: string }
type Problem = { path: (string | number)[]; text: string }
type Given = PromptsInput | undefined
type Part = NonNullable<PromptsInput[SectionName]>[number]

function isPrompt(type: PartType): type is PromptType {
  return promptTypes.some((prompt) => prompt === type)
}

/** The prompts of a speaking template: each section must have exactly its parts, in order. */
export function readSections(id: SpeakingId, given: Given): { prompts: ChosenPrompt[]; problems: Problem[] } {
  if (!given) return { prompts: [], problems: [{ path: [], text: 'is required' }] }
  const sections: PartSections = partSections[id]
  const foreign = `is no part of ${templates[id].name}`
  const problems: Problem[] = []
  const prompts: ChosenPrompt[] = []
  if (given.menus?.length) problems.push({ path: ['menus'], text: foreign })
  for (const section of sectionNames) {
    const parts = given[section] ?? []
    const wanted = sections[section]
    if (!wanted) {
      if (parts.length > 0) problems.push({ path: [section], text: foreign })
      continue
    }
    problems.push(...misplaced(section, parts, wanted))
    for (const [index, { type, promptId }] of parts.entries()) {
      const path = [section, index, 'promptId']
      if (!isPrompt(type)) {
        if (promptId !== undefined) problems.push({ path, text: `is not for ${type}, which is spoken` })
      } else if (promptId === undefined) problems.push({ path, text: 'is required' })
      else prompts.push({ role: type, promptId, field: ['prompts', ...path].join('.') })
    }
  }
  return { prompts, problems }
}

/** Parts that do not belong in a section, are repeated or missing; otherwise a wrong order. */
function misplaced(section: SectionName, parts: readonly Part[], wanted: readonly PartType[]): Problem[] {
  if (parts.length === 0) return [{ path: [section], text: 'is required' }]
  const types = parts.map(({ type }) => type)
  const problems = types.flatMap((type, index): Problem[] => {
    const path = [section, index, 'type']
    if (!wanted.includes(type)) return [{ path, text: `is ${type}: the parts are ${wanted.join(', ')}` }]
    return types.indexOf(type) < index ? [{ path, text: `is ${type}, which is there already` }] : []
  })
  const lacking = wanted.filter((type) => !types.includes(type))
  if (lacking.length > 0) problems.push({ path: [section], text: `lacks ${lacking.join(', ')}` })
  if (problems.length === 0 && types.some((type, index) => type !== wanted[index]))
    problems.push({ path: [section], text: `must be in the order ${wanted.join(', ')}` })
  return problems
}

export function readMenus(given: Given): { prompts: ChosenPrompt[]; menuKeys: DtmfKey[][]; problems: Problem[] } {
  const menus = given?.menus
  if (!menus) return { prompts: [], menuKeys: [], problems: [{ path: given ? ['menus'] : [], text: 'is required' }] }
  const foreign = sectionNames.filter((section) => given[section]?.length)
  const problems: Problem[] = foreign.map((section) => ({ path: [section], text: 'is no part of consultancy' }))
  const count = consultancyKeys.length
  if (menus.length !== count) problems.push({ path: ['menus'], text: `must be ${count} menus, not ${menus.length}` })
  const prompts: ChosenPrompt[] = []
  const menuKeys = menus.slice(0, count).map(({ promptId, dtmf }, index) => {
    const path = ['menus', index]
    const role = promptTypes[index]
    if (promptId === undefined) problems.push({ path: [...path, 'promptId'], text: 'is required' })
    else if (role) prompts.push({ role, promptId, field: `prompts.menus.${index}.promptId` })
    const { keys, text } = keysOf(dtmf ?? '', consultancyKeys[index] ?? [])
    if (text !== null) problems.push({ path: [...path, 'dtmf'], text })
    return keys
  })
  return { prompts, menuKeys, problems }
}

/** '1|2|3', or what is wrong with it. */
function keysOf(written: string, allowed: readonly DtmfKey[]): { keys: DtmfKey[]; text: string | null } {
  const given = written.split('|').flatMap((key) => key.trim() || [])
  const keys = allowed.filter((key) => given.includes(key))
  const foreign = given.find((key) => !allowed.some((own) => own === key))
  if (foreign !== undefined) return { keys, text: `has '${foreign}': the keys of this menu are ${allowed.join(', ')}` }
  return { keys, text: keys.length === 0 ? 'is required' : null }
}
