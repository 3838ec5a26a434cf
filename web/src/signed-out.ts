/** A screen for anybody, signed in or not; `token` is the end of a mailed link. */
type SignedOutScreen = { screen: 'reset-pwd' | 'update-pwd' | LinkScreen; token: string }
/** Screens that do nothing until their button is pressed, whether or not anybody is signed in. */
export type LinkScreen = 'verify-mail' | 'invitation' | 'summary-yes' | 'summary-no' | 'not-me'

/**
 * `path` is without the base path. Null: the login, or the signed-in console. A path with /update-pwd anywhere is the screen for a new
 * password (specification 2 §2), even if a mail program has cut the link: the server then says what is wrong with it.
 */
export function signedOutScreen(path: string): SignedOutScreen | null {
  const [, first, second = '', ...more] = path.split('/')
  const isWhole = more.join('') === ''
  if ((first === 'verify-mail' || first === 'invitation' || first === 'not-me') && isWhole && isToken(second))
    return { screen: first, token: second }
  const [, answer, token] = /^\/summary-mails\/(yes|no)\/([\w-]+)\/?$/.exec(path) ?? []
  if (token !== undefined) return { screen: answer === 'yes' ? 'summary-yes' : 'summary-no', token }
  const [, ...after] = path.split('/update-pwd')
  if (after.length > 0) {
    const [rest, end = ''] = after.join('/update-pwd').split('/')
    return { screen: 'update-pwd', token: rest === '' && isToken(end) ? end : '' }
  }
  return first === 'reset-pwd' && second === '' && isWhole ? { screen: 'reset-pwd', token: '' } : null
}

const isToken = (text: string) => /^[\w-]+$/.test(text)
