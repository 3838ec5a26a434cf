import { expect, test } from 'vitest'
import { firstNameOf, partOfDay } from './greeting.ts'

test.each([
  { hour: 3, is: 'evening' },
  { hour: 4, is: 'morning' },
  { hour: 11, is: 'morning' },
  { hour: 12, is: 'afternoon' },
  { hour: 16, is: 'afternoon' },
  { hour: 17, is: 'evening' },
])('at $hour o’clock it is $is', ({ hour, is }) => expect(partOfDay(hour)).toBe(is))

test.each([
  { name: ' Sita Sharma', is: 'Sita' },
  { name: 'Himal', is: 'Himal' },
  { name: '', is: '' },
])('“$name” is greeted as “$is”', ({ name, is }) => expect(firstNameOf(name)).toBe(is))
