import { expect, test } from 'vitest'
import { idKey, idKeysInOtherBase } from './driver.ts'

test.each([
  { one: '0A1B2C3D', other: 'a1b2c3d', why: 'case and leading zeros' },
  { one: ' 42\n', other: '42', why: 'blanks around it' },
  { one: '0', other: '000', why: 'nothing but zeros' },
  { one: 'F3-4E-x', other: 'f3-4e-X', why: 'an id that is no number' },
])('ids are the same but for $why', ({ one, other }) => expect(idKey(one)).toBe(idKey(other)))

test.each([
  { id: '0A1B2C3D', keys: ['169552957'], why: 'hexadecimal as decimal' },
  { id: '169552957', keys: ['a1b2c3d', '6062156119'], why: 'digits alone may be either' },
  { id: '42', keys: [], why: 'a short one may be somebody else’s' },
  { id: 'x-1234567', keys: [], why: 'no number has no other base' },
])('an id in another base: $why', ({ id, keys }) => expect(idKeysInOtherBase(id)).toEqual(keys))
