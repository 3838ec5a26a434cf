import { verificationDays } from '@ghanti/contract/mail.ts'
import { skeletonOf } from '../../lib/wording/skeleton.ts'
import { hasTelephoneNumber } from '../../lib/wording/telephone-numbers.ts'

export const verificationMs = verificationDays * 24 * 3600_000
/** How long an expired link is remembered, so that whoever opens it learns why it no longer works. */
export const verificationKeptMs = 30 * 24 * 3600_000
/** The least time between two links that somebody asks for. */
export const againAfterMs = 5 * 60_000

/** Per day in Nepal. */
export const mailsPerDay = {
  /** Notices and confirmation links to one account. */
  account: 20,
  /** Reset links to one account. Beyond these, one at a time, because anybody may ask for them (docs/adr/7). */
  reset: 20,
  /** What one account is told of its own security, apart from its other mails. */
  security: 20,
  /** The part of these that may be about new browsers, so that no number of sign-ins keeps back what is said of a password. */
  signIns: 10,
  /**
   * Codes for the first second factor, which whoever has the password can ask for: apart, so that they keep back nothing of the above. A password that
   * a mailed link has set begins a new count, so that they keep back nothing from the owner for long.
   */
  codes: 10,
  /** Confirmation links to one address, whatever accounts have it. */
  address: 3,
  /**
   * Confirmation links that a reseller and all accounts below cause together. Otherwise accounts could be made in order to mail any number of
   * people.
   */
  caused: 50,
  /** Confirmation links that owners ask for themselves, in one branch of a reseller's tree: an account right below that reseller, and all below it. */
  askedInBranch: 50,
  /** The same for the whole tree. The limit per branch keeps one branch from using up all of it. */
  askedInTree: 250,
  causedBySuperAdmin: 1000,
}

/**
 * A username as a mail may show it. Null for one that could be a message, an address or a telephone number: whoever made the account chose it, and the platform's
 * mail would vouch for it.
 */
export function nameInMail(username: string): string | null {
  const isWord = /^[\w\p{Script=Devanagari}-]{1,30}$/u.test(username)
  return isWord && !hasTelephoneNumber(skeletonOf(username)) ? username : null
}

type Mailed = { subject: string; text: string }

/**
 * In both languages, since the reader's preference is not known. It names neither the account nor its maker: others wrote both names, and the
 * reader may have nothing to do with them.
 */
export function verificationMail(link: string, { hasPassword }: { hasPassword: boolean }): Mailed {
  if (!hasPassword) return invitation(link)
  return {
    subject: 'Confirm your e-mail address · इमेल ठेगाना पुष्टि गर्नुहोस्',
    text: `This address was given for an account at ${new URL(link).host}.
If the account is yours, confirm the address here, within ${verificationDays} days:

${link}

The link works once. If you know of no such account, do nothing: you will get no other mail of it.

यो ठेगाना ${new URL(link).host} को एउटा खाताका लागि दिइएको छ।
खाता तपाईँको हो भने माथिको लिङ्कबाट ३ दिनभित्र ठेगाना पुष्टि गर्नुहोस्। लिङ्क एक पटक मात्र चल्छ।
यस्तो खाता थाहा छैन भने केही गर्नुपर्दैन, यसबारे अरू इमेल आउनेछैन।
`,
  }
}

/** To an account without a password: one that was made with an invitation, or whose owner said 'It was not me'. */
function invitation(link: string): Mailed {
  const { host } = new URL(link)
  return {
    subject: 'Choose your password · पासवर्ड छान्नुहोस्',
    text: `An account at ${host} with this address waits for its password.
If the account is yours, choose the password here, within ${verificationDays} days:

${link}

The link works once. If you know of no such account, do nothing: you will get no other mail of it.

${host} मा यो ठेगाना भएको एउटा खाताको पासवर्ड छान्न बाँकी छ।
खाता तपाईँको हो भने माथिको लिङ्कबाट ३ दिनभित्र पासवर्ड छान्नुहोस्। लिङ्क एक पटक मात्र चल्छ।
यस्तो खाता थाहा छैन भने केही गर्नुपर्दैन, यसबारे अरू इमेल आउनेछैन।
`,
  }
}
