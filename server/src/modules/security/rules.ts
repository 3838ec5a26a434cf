import type { securityKinds } from '@ghanti/contract/notices.ts'
import type { Browser, System } from '@ghanti/contract/sessions.ts'
import { nameInMail } from '../mail/rules.ts'

/** The first whose mark a User-Agent has. Most programs also name those that they are like, so the order matters. */
const browserMarks: readonly (readonly [mark: string, browser: Browser])[] = [
  ['Edg', 'edge'],
  ['OPR/', 'opera'],
  ['SamsungBrowser/', 'samsung'],
  ['Firefox/', 'firefox'],
  ['FxiOS/', 'firefox'],
  ['Chrome/', 'chrome'],
  ['CriOS/', 'chrome'],
  ['Safari/', 'safari'],
]
const systemMarks: readonly (readonly [mark: string, system: System])[] = [
  ['Android', 'android'],
  ['iPhone', 'iphone'],
  ['Windows', 'windows'],
  ['Mac OS', 'mac'],
  ['Linux', 'linux'],
]

export type Program = { browser: Browser; system: System }

export function programOf(userAgent: string): Program {
  return {
    browser: browserMarks.find(([mark]) => userAgent.includes(mark))?.[1] ?? 'other',
    system: systemMarks.find(([mark]) => userAgent.includes(mark))?.[1] ?? 'other',
  }
}

export type SecurityKind = (typeof securityKinds)[number]

/** How long the link 'It was not me' works. */
export const notMeLinkMs = 7 * 24 * 3600_000

/** A network as people know it. Empty when a proxy did not report it. */
export const placeOf = (network: string): string => (network === 'unknown' ? '' : network.replace(/\/32$/, ''))

const said: Record<SecurityKind, { subject: string; english: string; nepali: string }> = {
  newBrowser: {
    subject: 'New sign-in to your account · खातामा नयाँ लगइन',
    english: 'logged in from a browser or a network that was not seen before.',
    nepali: 'मा पहिले नदेखिएको ब्राउजर वा नेटवर्कबाट लगइन भयो।',
  },
  passwordChanged: {
    subject: 'Your password was changed · पासवर्ड बदलियो',
    english: 'has a new password.',
    nepali: 'को पासवर्ड बदलियो।',
  },
  emailChanged: {
    subject: 'Your e-mail address was changed · इमेल ठेगाना बदलियो',
    english: 'has another e-mail address: mails no longer come here.',
    nepali: 'को इमेल ठेगाना बदलियो: अब इमेल यहाँ आउँदैन।',
  },
  factorChanged: {
    subject: 'Your second factor was changed · दोस्रो प्रमाण बदलियो',
    english: 'has another second factor, other recovery codes, or none any more.',
    nepali: 'को दोस्रो प्रमाण वा आपतकालीन कोड बदलियो वा हटाइयो।',
  },
  keyMade: {
    subject: 'A key for a program was made · प्रोग्रामका लागि की बन्यो',
    english: 'has a new key, with which a program can act for it.',
    nepali: 'मा नयाँ की बन्यो, जसबाट प्रोग्रामले यो खाता चलाउन सक्छ।',
  },
  wrongCodes: {
    subject: 'Somebody knows your password · पासवर्ड अरूलाई थाहा छ',
    english: 'was not opened: somebody typed its password and a wrong code of its second factor.',
    nepali: ' खुलेन: कसैले सही पासवर्ड र दोस्रो प्रमाणको गलत कोड टाइप गर्‍यो।',
  },
}

/** Beside the notice of a new password. Null: the account has none. */
export function keysOutlasting(keys: number): string | null {
  if (keys === 0) return null
  return keys === 1 ? '1 key for a program still works' : `${keys} keys for programs still work`
}

/** What the button does on the page of the link. */
export const afterNotMe = {
  english: 'Everybody is then logged out, the password no longer works, and a link for a new one is mailed.',
  nepali: 'सबै लगआउट हुन्छन्, पासवर्ड चल्दैन, र नयाँ पासवर्डका लागि लिङ्क इमेलमा आउँछ।',
}

type SecurityMail = {
  kind: SecurityKind
  username: string
  at: string
  place: string
  program: string
  link: string
  keys?: number
}

/** In both languages, of fixed words. What a program says of itself is in it by the names of a table alone. */
export function securityMail({ kind, username, at, place, program, link, keys = 0 }: SecurityMail): {
  subject: string
  text: string
} {
  const name = nameInMail(username)
  const { subject, english, nepali } = said[kind]
  const outlasting = keysOutlasting(keys)
  const [ofKeys, ofKeysNepali] =
    outlasting === null
      ? ['', '']
      : [
          `${outlasting}. If you do not know of all, revoke them in your profile, under Security.\n\n`,
          `प्रोग्रामका ${keys} वटा की अझै चल्छन्। नचिनेको भए प्रोफाइलको “सुरक्षा” मा रद्द गर्नुहोस्।\n`,
        ]
  const facts = [`${at} (Nepal · नेपाल)`, place, program].filter((fact) => fact !== '').join(' · ')
  return {
    subject,
    text: `${name === null ? 'Your account' : `The account '${name}'`} ${english}

${facts}

${ofKeys}If you know of this, do nothing. If it was not you, open this page within seven days and press its button:

${link}

${afterNotMe.english}

${name === null ? 'तपाईँको खाता' : `“${name}” खाता`}${nepali}
${ofKeysNepali}यो तपाईँलाई थाहा छ भने केही गर्नुपर्दैन। तपाईँले गर्नुभएको होइन भने माथिको लिङ्क सात दिनभित्र खोलेर बटन थिच्नुहोस्:
${afterNotMe.nepali}
`,
  }
}
