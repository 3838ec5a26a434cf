import { nameInMail } from '../mail/rules.ts'
import { afterNotMe } from '../security/rules.ts'

/** A ticket of a sign-in, and adding a factor: long enough to install an app, or to find a mail. */
export const ticketMs = 5 * 60_000
export const addingMs = 20 * 60_000

/** How many additions one session has under way, in several tabs. */
export const begunAtOnce = 5

/** RFC 6238: a code is of 30 s; one step to either side allows for clocks. */
export const stepSeconds = 30

/** For how long after its first sign-in a browser is not yet known to whoever adds the first factor. As long as 'It was not me' works. */
export const newBrowserDays = 7

/** `SECRET` was changed, or is another installation's. */
export const codesUnreadable =
  'cannot be checked any more: use a recovery code, or have the second factor removed from above'
export const wrongCode = 'is not the code of now: each works once, for 30 s'
export const wrongRecoveryCode = 'is none of your unused recovery codes'
export const wrongMailCode = 'is not the code that was mailed'
export const triedTooOften = 'was tried five times: sign in again'
export const addingTriedTooOften = 'was tried five times: begin again'
export const lastFactor = 'is the last one, and this account must have one'
export const ticketOver = 'is over: sign in again'
export const addingOver = 'is over: begin again'

/** What a secret is sealed for: in another account's line it does not open. */
export const secretPurpose = (userId: number): string => `authenticator app of account ${userId}`

/** As it is shown: in groups that can be read out loud. */
export const shownRecoveryCode = (code: string): string => code.match(/.{4}/g)?.join('-') ?? code

export const noMoreCodes =
  'cannot be mailed any more today: set a new password by ‘Reset password?’, and codes are mailed again'

/** In both languages, of fixed words. Whoever asks for codes knows the password, so each mail of one offers to stop them. */
export function codeMail({ username, code, link }: { username: string; code: string; link: string }): {
  subject: string
  text: string
} {
  const name = nameInMail(username)
  return {
    subject: `Code for your second factor · दोस्रो प्रमाणको कोड`,
    text: `${name === null ? 'Somebody who is logged in to your account' : `Somebody who is logged in to the account '${name}'`} adds a second factor in a browser that was not seen before.
If it is you, type this code there within 20 minutes:

${code}

If it is not you, give the code to nobody: somebody knows your password. Open this page within seven days and press its button:

${link}

${afterNotMe.english}

${name === null ? 'तपाईँको खातामा' : `“${name}” खातामा`} लगइन गरेको कसैले पहिले नदेखिएको ब्राउजरबाट दोस्रो प्रमाण थप्दै छ।
तपाईँ नै हो भने माथिको कोड बीस मिनेटभित्र त्यहीँ टाइप गर्नुहोस्।
तपाईँ होइन भने कोड कसैलाई नदिनुहोस्: पासवर्ड अरूलाई थाहा छ। माथिको लिङ्क सात दिनभित्र खोलेर बटन थिच्नुहोस्।
${afterNotMe.nepali}
`,
  }
}
