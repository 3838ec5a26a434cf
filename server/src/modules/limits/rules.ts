/** Of one account: so many under way at once, and begun within a minute. `what`: many of it, as people say. */
export type WorkLimit = { atOnce: number; perMinute: number; what: string }

/**
 * What takes a processor, memory or disk worth speaking of. Enough for somebody at a console and for a program that goes on without haste; too
 * little for one account to be felt by the others.
 */
export const workLimits = {
  /** Accounts made and passwords set: a hash of 20 ms each, and up to a second to check it. */
  newPasswords: { atOnce: 4, perMinute: 30, what: 'new passwords' },
  /** Prompts and recordings of words: a second of a processor each. */
  sounds: { atOnce: 4, perMinute: 30, what: 'sound files' },
  /** Contact files, pasted numbers, files of blacklisted numbers and lists of refused rows: up to 20 MB to receive and to read. */
  contactFiles: { atOnce: 2, perMinute: 20, what: 'contact files' },
  /** What a contact file or one of its rows would give: reads the file. As many as questions about blacklisted numbers, since a preview counts these. */
  previews: { atOnce: 4, perMinute: 20, what: 'previews and test calls' },
  /** Call Now: one is up at a time, and each is a campaign of its own. */
  callsNow: { atOnce: 2, perMinute: 10, what: 'calls by Call Now' },
  /** Messages after calls that are tested: what one account may make this server ask of others. */
  smsTests: { atOnce: 1, perMinute: 6, what: 'test messages' },
  /** Single numbers put on a blacklist or taken off it: each waits for a file that is being stored. */
  blacklistNumbers: { atOnce: 4, perMinute: 240, what: 'changes of the blacklist' },
  /** Composed: some 14 kB each for good, whether or not it ever calls. */
  newCampaigns: { atOnce: 4, perMinute: 60, what: 'new campaigns' },
  /** Paused, resumed, stopped, tried again: a line of history and of the audit log each. */
  campaignChanges: { atOnce: 4, perMinute: 240, what: 'changes of campaigns' },
  /** The same done to up to a hundred rows, each in a transaction of its own. */
  several: { atOnce: 2, perMinute: 30, what: 'changes of several rows' },
  /** CSV files and reports. A download lasts as long as its reader takes. */
  exports: { atOnce: 3, perMinute: 30, what: 'exports' },
  /** Asked for and written by users, read by super admins. */
  approvals: { atOnce: 4, perMinute: 60, what: 'sender IDs and texts' },
  /** What the palette asks while somebody types: two short queries each. */
  searches: { atOnce: 4, perMinute: 120, what: 'searches' },
} as const satisfies Record<string, WorkLimit>
export type WorkKind = keyof typeof workLimits

/** Reports are made in the background: these wait there, in the database, one of an account at a time. */
export const reportLimit = { atOnce: 20, what: 'reports' }

/** Contact files that are made of campaigns wait there likewise. */
export const baseMakingLimit = { atOnce: 10, what: 'contact files' }

/** Exports in the background likewise, with the one that is being made. */
export const exportLimit = { atOnce: 10, what: 'exports' }

/** How long whoever has too much under way should wait: most of it is done in seconds. */
export const busyAgainSeconds = 2

export const tooMuchAtOnce = ({ atOnce, what }: Omit<WorkLimit, 'perMinute'>): string =>
  `One account may have ${atOnce} ${what} under way at once. Try again in ${busyAgainSeconds} s`
export const tooMuchAMinute = ({ perMinute, what }: WorkLimit, seconds: number): string =>
  `One account may begin ${perMinute} ${what} a minute. Try again in ${seconds} s`
