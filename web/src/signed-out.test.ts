import { expect, test } from 'vitest'
import { signedOutScreen } from './signed-out.ts'

test.each([
  ['/update-pwd/a_b-9', { screen: 'update-pwd', token: 'a_b-9' }],
  ['/update-pwd/a_b-9/', { screen: 'update-pwd', token: 'a_b-9' }],
  ['/old/console/update-pwd/a_b-9', { screen: 'update-pwd', token: 'a_b-9' }],
  ['/update-pwd/a_b-9/more', { screen: 'update-pwd', token: 'a_b-9' }],
  ['/update-pwd', { screen: 'update-pwd', token: '' }],
  ['/update-pwd/what%20is%20this', { screen: 'update-pwd', token: '' }],
  ['/verify-mail/a_b-9', { screen: 'verify-mail', token: 'a_b-9' }],
  ['/invitation/a_b-9', { screen: 'invitation', token: 'a_b-9' }],
  ['/not-me/a_b-9', { screen: 'not-me', token: 'a_b-9' }],
  ['/not-me/a_b-9/more', null],
  ['/summary-mails/yes/a_b-9', { screen: 'summary-yes', token: 'a_b-9' }],
  ['/summary-mails/no/7-a_b/', { screen: 'summary-no', token: '7-a_b' }],
  ['/summary-mails/no/7-a_b/more', null],
  ['/summary-mails/perhaps/a_b-9', null],
  ['/summary-mails/yes', null],
  ['/reset-pwd', { screen: 'reset-pwd', token: '' }],
  ['/reset-pwd/', { screen: 'reset-pwd', token: '' }],
  ['/old/reset-pwd', null],
  ['/update-password', null],
  ['/', null],
])('%s: a path that contains /update-pwd is the screen of a new password (specification 2 §2)', (path, expected) => {
  expect(signedOutScreen(path)).toEqual(expected)
})
