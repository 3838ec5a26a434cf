import { expect, test } from 'vitest'
import { withPlaceholder } from './sms-address.ts'

test.each([
  { why: 'a mobile', address: 'https://s.np/?to=9851012345&t=hi', becomes: 'https://s.np/?to={PHONE}&t=hi' },
  { why: 'a 977 in front stays', address: 'https://s.np/?to=9779851012345', becomes: 'https://s.np/?to=977{PHONE}' },
  {
    why: 'a + in front stays',
    address: 'https://s.np/?to=%2B9779851012345',
    becomes: 'https://s.np/?to=%2B977{PHONE}',
  },
  { why: 'in the path', address: 'https://s.np/9851012345/send', becomes: 'https://s.np/{PHONE}/send' },
  { why: 'a key of more digits is none', address: 'https://s.np/?key=98510123456789', becomes: null },
  { why: 'ten digits that are no mobile', address: 'https://s.np/?key=1234567890', becomes: null },
  { why: 'it is there already', address: 'https://s.np/?to={PHONE}', becomes: null },
])('$why', ({ address, becomes }) => {
  expect(withPlaceholder(address)).toBe(becomes)
})
