import { expect, test } from 'vitest'
import { parseAst } from 'vite'
import { shortened } from '../web/build/without-inputs.ts'

const short = (code: string) => shortened(code, parseAst(code) as never)

test('routes are without the schemas of their requests, and keep what the console reads', () => {
  const route = "export const routes = { save: json({ path: '/a', input: z.object({ id: Id }), reply: Message }) }"
  expect(short(route)).toBe("export const routes = { save: /* @__PURE__ */ json({ path: '/a',  reply: Message }) }")
  expect(short('export const all = { all: list({ input: z.object({}), row: Row }) }')).toContain('list({  row: Row })')
  expect(short('export const note = { a: other({ input: z.object({}) }) }')).toContain('input:')
})

test('what makes a schema can be left out when nobody uses it; what is done for its effect, or when called, is unmarked', () => {
  expect(short('const Id = z.int().check(z.minimum(1))')).toBe(
    'const Id = /* @__PURE__ */ z.int().check(/* @__PURE__ */ z.minimum(1))',
  )
  for (const kept of [
    'z.config({})',
    'function make() {\n  const made = z.int()\n  return made\n}',
    'export const later = () => z.int()',
  ])
    expect(short(kept)).toBe(kept)
})
