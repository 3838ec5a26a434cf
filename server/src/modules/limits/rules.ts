/**
 * Limits of one account: what it may have under way at once, and begin within a minute and a day. `what`: a plural noun for the message.
 * `turn`: the line in which it waits (http/turns.ts); 'own' where the work waits in a queue of its own, in which accounts take turns, or for others.
 */
export type WorkLimit = {
  atOnce: number
  perMinute: number
  perDay: number
  what: string
  turn: 'request' | 'composing' | 'sending' | 'own'
  /** Counted by network, in memory, because there is no session. */
  byNetwork: boolean
}

/** One account's writes and audited reads leave rows for ever; as many a day as several people and their programs need. */
const perDay = 10_000

const limit = (atOnce: number, perMinute: number, what: string, more: Partial<WorkLimit> = {}): WorkLimit => ({
  atOnce,
  perMinute,
  perDay,
  what,
  turn: 'request',
  byNetwork: false,
  ...more,
})

/**
 * What takes noticeable CPU, memory or disk. The limits suffice for a person at a console or an unhurried program, but do not let one account
 * slow down the others, or fill the tables that nothing empties. A route that no line of limited-routes.ts names counts by what it does: as
 * `writes`, `personalReads`, or not at all.
 */
export const workLimits = {
  /** Whatever changes something, where nothing else says so. */
  writes: limit(20, 240, 'changes'),
  /** Reads that leave a line in the audit log. */
  personalReads: limit(20, 240, 'reads of personal data', { perDay: 20_000 }),
  /** Figures that screens ask for again every 15 seconds; they leave one audit line an hour. */
  figures: limit(20, 240, 'looks at figures', { perDay: Infinity }),
  /** Writes without a session, where nothing else says so. A whole office may share an address. */
  strangers: limit(100, 240, 'requests without a session', { perDay: Infinity, byNetwork: true }),
  /** Failures are counted, and sign-ins wait in lines of their own (ADR 7): a count by network would shut out known browsers beside a stranger. */
  signIns: limit(Infinity, Infinity, 'sign-ins', { perDay: Infinity, byNetwork: true, turn: 'own' }),
  /** Likewise: whoever asks for a mailed link or has one must not be shut out by a neighbour. */
  links: limit(Infinity, Infinity, 'mailed links', { perDay: Infinity, byNetwork: true }),
  /** A hash of 20 ms each, and up to a second to check the password's strength. */
  newPasswords: limit(4, 30, 'new passwords', { perDay: 2000, turn: 'own' }),
  /** Prompts and recordings of words: a second of CPU each. */
  sounds: limit(4, 30, 'sound files', { turn: 'own' }),
  /** Logos and other files that no other kind names. */
  uploads: limit(4, 120, 'uploads', { turn: 'own' }),
  /** Contact files, pasted numbers, blacklist files and lists of refused rows: up to 20 MB to receive and read. */
  contactFiles: limit(2, 20, 'contact files', { turn: 'own' }),
  /** Previews read the whole file. As many as questions about blacklisted numbers, because a preview counts those. */
  previews: limit(4, 20, 'previews and test calls', { turn: 'own' }),
  /** Mostly answered from a cache; what is not counts as a preview as well. */
  looks: limit(8, 240, 'looks at files', { perDay: 20_000, turn: 'own' }),
  /** Only one can be in progress at a time, and each is a campaign of its own. */
  callsNow: limit(2, 10, 'calls by Call Now'),
  /** Limits what one account makes this server send to others. */
  smsTests: limit(1, 6, 'test messages', { turn: 'own' }),
  /** A change of a single number may wait for a file that is being stored. */
  blacklistNumbers: limit(4, 240, 'changes of the blacklist'),
  /** Each takes some 14 kB for good, whether or not it ever calls. */
  newCampaigns: limit(4, 60, 'new campaigns', { turn: 'composing' }),
  /** Of what was composed or saved. Like composing, they may wait for a pasted list, or for the name server of a customer's address. */
  edits: limit(4, 120, 'changes of campaigns and set-ups', { turn: 'composing' }),
  /** Pause, resume, stop, retry: one history and one audit line each. */
  campaignChanges: limit(4, 240, 'changes of campaigns'),
  /** The same for up to a hundred rows, in a transaction each. */
  several: limit(2, 30, 'changes of several rows', { perDay: 1000 }),
  /** CSV files and reports. A download lasts as long as its reader takes. */
  exports: limit(3, 30, 'exports', { turn: 'own' }),
  /** Whatever is answered as a file, until its reader has the last byte. A browser opens six connections, and a player asks for ranges of a sound. */
  downloads: limit(12, 600, 'downloads', { perDay: 20_000 }),
  approvals: limit(4, 60, 'sender IDs and texts'),
  /** Of programs, one by one: each is paid for, and has a row of some hundred bytes. As many as the keys of an account may ask for. */
  sends: limit(100, 12_000, 'single messages', { perDay: Infinity, turn: 'sending' }),
  /** They leave one line of audit an hour. */
  sendReads: limit(100, 12_000, 'reads of single messages', { perDay: Infinity, turn: 'sending' }),
  /** Two short queries for each pause in typing in the palette. */
  searches: limit(4, 120, 'searches', { perDay: 20_000 }),
} as const satisfies Record<string, WorkLimit>
export type WorkKind = keyof typeof workLimits

/** Reports queued in the database; one of an account is made at a time. */
export const reportLimit = { atOnce: 20, what: 'reports' }

export const baseMakingLimit = { atOnce: 10, what: 'contact files' }

export const exportLimit = { atOnce: 10, what: 'exports' }

/** The Retry-After for too much at once; most work is done in seconds. */
export const busyAgainSeconds = 2

export type Whose = 'account' | 'network'
export const tooMuchAtOnce = ({ atOnce, what }: Pick<WorkLimit, 'atOnce' | 'what'>, whose: Whose = 'account'): string =>
  `One ${whose} may have ${atOnce} ${what} under way at once. Try again in ${busyAgainSeconds} s`
export const tooMuchAMinute = ({ perMinute, what }: WorkLimit, seconds: number, whose: Whose = 'account'): string =>
  `One ${whose} may begin ${perMinute} ${what} a minute. Try again in ${seconds} s`
export const tooMuchADay = ({ perDay, what }: WorkLimit, seconds: number): string =>
  `One account may begin ${perDay} ${what} a day. Try again in ${Math.ceil(seconds / 60)} min`
