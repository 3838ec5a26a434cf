import { describe, expect, test } from 'vitest'
import { Search, Text } from './values.ts'

const errorOf = (schema: typeof Search | ReturnType<typeof Text>, text: string) =>
  schema.safeParse(text).error?.issues.map(({ message }) => message)

describe.each([
  ['text', Text()],
  ['a search', Search],
])('%s', (_, schema) => {
  test.each([
    '\u0000',
    'a\u0007b',
    'a\u001fb',
    'a\u007fb',
    '\ud800',
    'a\udfffb',
    '\udf98\ud83d',
    '\ud83d',
    'a\tb',
    'a\nb',
    'a\r\nb',
  ])('may not hold %j, which is a control character, a line break or half of a surrogate pair', (text) => {
    expect(errorOf(schema, text)).toEqual(['has line breaks or control characters'])
  })

  test.each(['जेठ', '\ud83d\udc18', 'c\u200dd', '\u{10ffff}'])('may hold %j', (text) => {
    expect(errorOf(schema, text)).toBeUndefined()
  })
})

test.each(['', ' ', '\u00a0', '\u200d', '\u3164', '\u115f\u1160', '\u2800', '\u0301', '\u00ad\u034f'])(
  'of a text something is seen, or it is required: %j',
  (text) => {
    expect(errorOf(Text(), text)).toEqual(['is required'])
  },
)
