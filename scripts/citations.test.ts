import { expect, test } from 'vitest'
import { anchorsOf, deadCitations, deadPaths, foreignCitations, unlistedDecisions } from './citations.ts'

const design = {
  file: 'docs/design.md',
  text: '# Design\n\n## Money\n\n### Who pays whom\n\n## Money\n\n```\n# no heading\n```\n\n## `ROLES` and [links](#money), too\n',
}
const decision = { file: 'docs/adr/8-one-call.md', text: '# 8. One call\n' }
const code = (comment: string) => ({ file: 'server/src/any.ts', text: `const a = 1\n/** ${comment} */\n` })

test('headings have the anchors that GitHub gives them', () => {
  expect([...anchorsOf(design.text)]).toEqual(['design', 'money', 'who-pays-whom', 'money-1', 'roles-and-links-too'])
})

test.each([
  ['a heading that is there', 'docs/design.md#who-pays-whom', true],
  ['the second of two that are alike', 'docs/design.md#money-1', true],
  ['a document as a whole', 'docs/design.md', true],
  ['a heading that is not there', 'docs/design.md#mony', false],
  ['what stands in a block of code', 'docs/design.md#no-heading', false],
  ['a document that is not there', 'docs/wire.md#money', false],
  ['a document in a folder that is not there', 'docs/operating/wires.md', false],
  ['a decision by its number', 'docs/adr/8', true],
  ['a decision that nobody took', 'docs/adr/80', false],
])('citations of %s', (_, citation, leads) => {
  expect(deadCitations([design, decision, code(`Why (${citation}).`)])).toEqual(
    leads ? [] : [`server/src/any.ts:2: ${citation}`],
  )
})

test.each([
  ['docs/adr/8-one-call.md', '[money](../design.md#money)', true],
  ['docs/adr/8-one-call.md', '[money](design.md#money)', false],
  ['docs/adr/8-one-call.md', '[money](../design.md#mony)', false],
  ['docs/adr/8-one-call.md', '[above](#8-one-call)', true],
  ['docs/adr/8-one-call.md', '[above](#one-call)', false],
  ['README.md', '[design](docs/design.md), [elsewhere](https://example.com/a.md#b), [code](server/src/app.ts)', true],
])('a document %s with the link %s', (file, text, leads) => {
  expect(deadCitations([design, { file, text: `# 8. One call\n${text}\n` }]).length).toBe(leads ? 0 : 1)
})

test.each([
  ['DESIGN §6', 'DESIGN'],
  ['WIRE.md, Replies', 'WIRE'],
  ['BACKEND.md §6.3', 'BACKEND.md'],
  ['S1 §5', 'S1 §'],
  ['spec 2 §7', 'spec 2 §'],
])('%s is in no page of the repository', (citation, named) => {
  expect(foreignCitations([code(citation)])).toEqual([`server/src/any.ts:2: ${named}`])
})

test('specifications are cited in full, and similar words are left alone', () => {
  expect(foreignCitations([code('specification 1 §5; DEBIAN_FRONTEND; the wire; RFC 5321 §4.2.1')])).toEqual([])
})

test.each([
  ['has it under its number', '| [8](8-one-call.md) | One call. |', []],
  ['does not have it', '| [9](9-two-calls.md) | Two calls. |', [decision.file]],
  ['has it twice', '| [8](8-one-call.md) | One call. |\n| [8](8-one-call.md) | Again. |', [decision.file]],
  ['has it under another number', '| [9](8-one-call.md) | One call. |', [decision.file]],
])('a decision is missing unless the index has it once under its number: it %s', (_, text, missing) => {
  expect(unlistedDecisions([decision, { file: 'docs/adr/README.md', text: `# Decisions\n\n${text}\n` }])).toEqual(
    missing,
  )
})

test('a missing file that a document names is found; decisions may name files of their day', () => {
  const text = 'See `server/src/app.ts`, `server/src/gone.ts`, `web/src/screens/<area>/` and `rules.ts`.'
  const exists = (file: string) => file === 'server/src/app.ts'
  expect(deadPaths([{ file: 'CONTRIBUTING.md', text }], exists)).toEqual(['CONTRIBUTING.md:1: `server/src/gone.ts`'])
  expect(deadPaths([{ file: 'docs/adr/1-old.md', text }], exists)).toEqual([])
})
