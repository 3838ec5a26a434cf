import { templates } from '@ghanti/contract/template-names.ts'
import { partSections, type PartSections, type SpeakingId } from '@ghanti/contract/templates.ts'
import { PreviewInput } from '@ghanti/contract/compose.ts'
import { expect, test } from 'vitest'
import { composerOf, isNameOf } from './rules.ts'

function read(templateId: number, fields: object) {
  const parsed = PreviewInput.safeParse(fields)
  if (!parsed.success)
    return {
      ok: false as const,
      errors: parsed.error.issues.map((i) => ({ field: i.path.join('.'), text: i.message })),
    }
  const composer = composerOf(templateId)
  if (!composer) throw new Error(`template ${templateId} has no composer`)
  return composer.read(parsed.data)
}

function errorsOf(templateId: number, fields: object): Record<string, string> {
  const answer = read(templateId, fields)
  return answer.ok ? {} : Object.fromEntries(answer.errors.map(({ field, text }) => [field, text]))
}

const p = (type: string, promptId: unknown = 7) => ({ type, promptId })
const d = (type: string) => ({ type })
const welcome = [p('menu1'), d('date1'), p('menu2')]
const auto2 = { welcome, optin: [p('optin1')] }

test.each([3, 4, 5, 6, 7] as SpeakingId[])('template %i takes its parts, as JSON and as its text', (id) => {
  const sections: PartSections = partSections[id]
  let promptId = 10
  const prompts = Object.fromEntries(
    Object.entries(sections).map(([section, types]) => [
      section,
      types.map((type) => (/^(menu|opt|action)/.test(type) ? { type, promptId: String(promptId++) } : { type })),
    ]),
  )
  for (const sent of [prompts, JSON.stringify(prompts)]) {
    const answer = read(id, { prompts: sent })
    expect(answer).toMatchObject({ ok: true, answers: { speech: { language: 'ne', calendar: 'bs' } } })
    const { required } = composerOf(id)?.template ?? {}
    const chosen = answer.ok ? answer.answers.prompts : []
    expect(chosen.map(({ role }) => role)).toEqual(required)
    expect(chosen.map((prompt) => prompt.promptId)).toEqual(chosen.map((_, index) => 10 + index))
  }
})

test('five seconds and once again unless the payload says otherwise; the language brings its calendar', () => {
  const waits = (fields: object) => {
    const answer = read(4, { prompts: auto2, ...fields })
    if (!answer.ok) throw new Error('refused')
    const { menuWaitSeconds, rePrompts, speech } = answer.answers
    return [menuWaitSeconds, rePrompts, speech?.language, speech?.calendar]
  }
  expect(waits({})).toEqual([5, 1, 'ne', 'bs'])
  expect(waits({ menuWaitTime: '0', rePrompt: 3, language: 'en' })).toEqual([0, 3, 'en', 'ad'])
  expect(waits({ language: 'en', calendar: 'bs' })).toEqual([5, 1, 'en', 'bs'])
})

test.each<{ why: string; prompts: unknown; errors: Record<string, string> }>([
  { why: 'nothing', prompts: undefined, errors: { prompts: 'is required' } },
  {
    why: 'no JSON',
    prompts: 'welcome',
    errors: { prompts: 'must be JSON like {"welcome": [{"type": "menu1", "promptId": 1}]}' },
  },
  {
    why: 'an unknown section',
    prompts: { ...auto2, goodbye: [] },
    errors: { prompts: "has 'goodbye': its sections are welcome, optin, optout, action and menus" },
  },
  {
    why: 'a section that is no list',
    prompts: { ...auto2, optin: 7 },
    errors: { 'prompts.optin': 'must be a list of parts' },
  },
  {
    why: 'an unknown type',
    prompts: { ...auto2, welcome: [p('menu1'), d('colour1'), p('menu2')] },
    errors: { 'prompts.welcome.1.type': 'is not a type of part' },
  },
  {
    why: 'a part without type',
    prompts: { ...auto2, optin: [{ promptId: 7 }] },
    errors: { 'prompts.optin.0.type': 'is required' },
  },
  { why: 'a missing section', prompts: { welcome }, errors: { 'prompts.optin': 'is required' } },
  { why: 'an empty section', prompts: { ...auto2, optin: [] }, errors: { 'prompts.optin': 'is required' } },
  {
    why: 'a section of another template',
    prompts: { ...auto2, optout: [p('optout1')] },
    errors: { 'prompts.optout': 'is no part of auto2' },
  },
  {
    why: 'menus',
    prompts: { ...auto2, menus: [{ promptId: 7, dtmf: '1' }] },
    errors: { 'prompts.menus': 'is no part of auto2' },
  },
  {
    why: 'missing parts',
    prompts: { ...auto2, welcome: [p('menu1')] },
    errors: { 'prompts.welcome': 'lacks date1, menu2' },
  },
  {
    why: 'a doubled part',
    prompts: { ...auto2, welcome: [...welcome, p('menu2')] },
    errors: { 'prompts.welcome.3.type': 'is menu2, which is there already' },
  },
  {
    why: 'a part of elsewhere',
    prompts: { ...auto2, welcome: [p('menu1'), d('date2'), d('date1'), p('menu2')] },
    errors: { 'prompts.welcome.1.type': 'is date2: the parts are menu1, date1, menu2' },
  },
  {
    why: 'the wrong order',
    prompts: { ...auto2, welcome: [d('date1'), p('menu1'), p('menu2')] },
    errors: { 'prompts.welcome': 'must be in the order menu1, date1, menu2' },
  },
  {
    why: 'prompts that are not chosen, in JSON as in its text',
    prompts: JSON.stringify({ welcome: [p('menu1', ''), d('date1'), p('menu2', null)], optin: [d('optin1')] }),
    errors: {
      'prompts.welcome.0.promptId': 'is required',
      'prompts.welcome.2.promptId': 'is required',
      'prompts.optin.0.promptId': 'is required',
    },
  },
  {
    why: 'an id that is none',
    prompts: { ...auto2, optin: [p('optin1', 'x')] },
    errors: { 'prompts.optin.0.promptId': 'must be a number' },
  },
  {
    why: 'a prompt for what is spoken',
    prompts: { ...auto2, welcome: [p('menu1'), p('date1'), p('menu2')] },
    errors: { 'prompts.welcome.1.promptId': 'is not for date1, which is spoken' },
  },
])('refused, each by its field: $why', ({ prompts, errors }) => expect(errorsOf(4, { prompts })).toEqual(errors))

const menus = ['1|2|3', '1|2', '1|2|3', '1|2', '1|2'].map((dtmf, index) => ({ promptId: 20 + index, dtmf }))
const consultancy = { welcomePId: 9, menuWaitTime: 3, rePrompt: 0 }

test('consultancy takes its welcome and five menus, each with some of its keys', () => {
  const some = [{ promptId: '20', dtmf: ' 3 | 1 ' }, { promptId: 21, dtmf: 2 }, ...menus.slice(2)]
  for (const prompts of [{ menus: some }, JSON.stringify({ menus: some })]) {
    expect(read(8, { ...consultancy, prompts })).toMatchObject({
      ok: true,
      answers: {
        prompts: ['welcome', 'menu1', 'menu2', 'menu3', 'menu4', 'menu5'].map((role) => ({ role })),
        menuKeys: [['1', '3'], ['2'], ['1', '2', '3'], ['1', '2'], ['1', '2']],
        menuWaitSeconds: 3,
        rePrompts: 0,
        speech: null,
      },
    })
  }
})

test.each<{ why: string; fields: object; errors: Record<string, string> }>([
  {
    why: 'nothing',
    fields: { welcomePId: undefined, menuWaitTime: undefined, rePrompt: undefined },
    errors: {
      welcomePId: 'is required',
      menuWaitTime: 'is required',
      rePrompt: 'is required',
      prompts: 'is required',
    },
  },
  { why: 'no menus', fields: { prompts: {} }, errors: { 'prompts.menus': 'is required' } },
  {
    why: 'four menus',
    fields: { prompts: { menus: menus.slice(1) } },
    errors: { 'prompts.menus': 'must be 5 menus, not 4' },
  },
  {
    why: 'six menus',
    fields: { prompts: { menus: [...menus, menus[0]] } },
    errors: { 'prompts.menus': 'must be 5 menus, not 6' },
  },
  {
    why: 'sections',
    fields: { prompts: { menus, welcome } },
    errors: { 'prompts.welcome': 'is no part of consultancy' },
  },
  {
    why: 'a menu without keys, without a prompt, with keys of no menu, with those of another',
    fields: {
      prompts: {
        menus: [
          { promptId: 20, dtmf: '' },
          { promptId: '', dtmf: '1|2' },
          { promptId: 22, dtmf: '1|x' },
          { promptId: 23, dtmf: '1|2|3' },
          { promptId: 24 },
        ],
      },
    },
    errors: {
      'prompts.menus.0.dtmf': 'is required',
      'prompts.menus.1.promptId': 'is required',
      'prompts.menus.2.dtmf': "has 'x': the keys of this menu are 1, 2, 3",
      'prompts.menus.3.dtmf': "has '3': the keys of this menu are 1, 2",
      'prompts.menus.4.dtmf': 'is required',
    },
  },
])('consultancy refuses, each by its field: $why', ({ fields, errors }) =>
  expect(errorsOf(8, { ...consultancy, ...fields })).toMatchObject(errors),
)

test.each([
  { why: 'its own', id: 5, name: 'auto3', is: true },
  { why: 'another’s', id: 5, name: 'auto2', is: false },
  { why: 'one that there is not', id: 8, name: 'auto9', is: false },
  { why: 'the first three need none, and any text is none', id: 0, name: 'none', is: true },
  { why: 'but not another’s', id: 1, name: 'auto1', is: false },
])('templateName: $why', ({ id, name, is }) => expect(isNameOf(id, name)).toBe(is))

test('every template of the table can be composed', () => {
  expect(templates.map(({ id }) => composerOf(id)?.template.id)).toEqual(templates.map(({ id }) => id))
})
