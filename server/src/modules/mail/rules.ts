import { verificationDays } from '@ghanti/contract/mail.ts'

export const verificationMs = verificationDays * 24 * 3600_000
/** How long a link that is over is known for one, so that whoever opens it reads why it does nothing. */
export const verificationKeptMs = 30 * 24 * 3600_000
/** Between two links that somebody asks for. */
export const againAfterMs = 5 * 60_000

/** Mails of one of Nepal's days. */
export const mailsPerDay = {
  /** Of notices and links that confirm the address, to one account. */
  account: 20,
  /** Of reset links to one account; beyond it, one at a time (strangers may ask for them: docs/adr/7). */
  reset: 20,
  /** Of links that confirm an address, to one address, whatever accounts name it. */
  address: 3,
  /** Of such links that a reseller and all accounts below cause together, else whoever has accounts could have us write to any number of strangers. */
  caused: 50,
  /** Of such links that owners themselves ask for, in one branch of a reseller's tree: an account right below that reseller, and all below it. */
  askedInBranch: 50,
  /** The same in the whole tree, so that no branch uses up the number of all. */
  askedInTree: 250,
  /** Of such links that a super admin causes. */
  causedBySuperAdmin: 1000,
}

/**
 * A username as a mail may show it; null for one that could be a message or an address of its own, since whoever made the account chose it and the
 * platform's mail would vouch for it.
 */
export function nameInMail(username: string): string | null {
  return /^[\w\p{Script=Devanagari}-]{1,30}$/u.test(username) ? username : null
}

/**
 * In both languages: which one its reader prefers is not known. It names neither the account nor who made it: all of that somebody else wrote, and the
 * reader may be a stranger.
 */
export function verificationMail(link: string): { subject: string; text: string } {
  return {
    subject: 'Confirm your e-mail address · इमेल ठेगाना पुष्टि गर्नुहोस्',
    text: `This address was given for an account at ${new URL(link).host}.
If the account is yours, confirm the address here, within ${verificationDays} days:

${link}

The link works once. If you know of no such account, do nothing: you will get no other mail of it.

यो ठेगाना ${new URL(link).host} को एउटा खाताका लागि दिइएको छ।
खाता तपाईंको हो भने माथिको लिङ्कबाट ३ दिनभित्र ठेगाना पुष्टि गर्नुहोस्। लिङ्क एक पटक मात्र चल्छ।
यस्तो खाता थाहा छैन भने केही गर्नु पर्दैन, यसबारे अरू इमेल आउने छैन।
`,
  }
}
