/** A page of the console names its account in this header of every request, because a sign-in in another window changes whose the cookie is. */
export const pageOwnerHeader = 'Page-Owner'

/** The code in `errors` when the session is another account's than the page. */
export const otherAccountCode = 'other_account'

export const signedInAs = (username: string) => `You are signed in as ${username} in another window`
