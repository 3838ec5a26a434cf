import { partSections, sectionNames, type PartType } from '@ghanti/contract/templates.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ComposeInput } from '@ghanti/contract/compose.ts'
import type { TemplateId } from '@ghanti/contract/template-names.ts'
import type { VoiceFiles } from './voice-files.ts'

/** An agent whose telephone the simulator answers. */
const agentNumber = '9800000007'

export type Composable = {
  name: string
  template: TemplateId
  cli: string
  baseId: number
  voices: VoiceFiles
  keyLabels?: KeyLabels | undefined
}

/** What the owner sends to compose it, as the console would. */
export function composeInput({ name, template, cli, baseId, voices, keyLabels }: Composable): ComposeInput {
  const always = { campaignName: name, templateId: template, cli, baseId, retries: 2, retryInterval: 10, channels: 10 }
  return ComposeInput.parse({ ...always, ...fieldsOf(template, voices), keyLabels })
}

function fieldsOf(template: TemplateId, voices: VoiceFiles): object {
  const waits = { menuWaitTime: 5, rePrompt: 1 }
  const menu = {
    ...waits,
    welcomePId: voices.welcome,
    menuPId: voices.menu,
    noInputPId: voices.noInput,
    wrongInputPId: voices.wrongInput,
    thanksPId: voices.thanks,
  }
  switch (template) {
    case 0:
      return { welcomePId: voices.welcome }
    case 1:
      return { ...menu, dtmf: '1,2,3' }
    case 2:
      return { ...menu, agentRows: [{ agentNumber, agentDtmf: '1' }] }
    case 3:
    case 4:
    case 5:
      return { ...waits, prompts: sectionsOf(template, voices) }
    case 6:
    case 7:
      return { prompts: sectionsOf(template, voices) }
    case 8:
      return { ...waits, welcomePId: voices.welcome, prompts: { menus: questionsOf(voices) } }
  }
}

function sectionsOf(template: keyof typeof partSections, voices: VoiceFiles): object {
  const sections: Partial<Record<string, readonly PartType[]>> = partSections[template]
  const parts = (types: readonly PartType[]) =>
    types.map((type) => {
      const promptId = promptOf(type, voices)
      return promptId === null ? { type } : { type, promptId }
    })
  return Object.fromEntries(
    sectionNames.flatMap((name) => (sections[name] ? [[name, parts(sections[name])] as const] : [])),
  )
}

/** Null: a spoken value. */
function promptOf(type: PartType, voices: VoiceFiles): number | null {
  if (type === 'menu1') return voices.before
  if (type.startsWith('menu')) return voices.after
  if (type.startsWith('optin')) return voices.yes
  if (type.startsWith('optout')) return voices.no
  return type.startsWith('action') ? voices.other : null
}

function questionsOf(voices: VoiceFiles): object[] {
  const ask = (promptId: number, dtmf: string) => ({ promptId, dtmf })
  return [
    ask(voices.menu, '1|2|3'),
    ask(voices.before, '1|2'),
    ask(voices.menu, '1|2|3'),
    ask(voices.after, '1|2'),
    ask(voices.yes, '1|2'),
  ]
}
