/** Limits of one account. `what`: a plural noun for the message. */
export type WorkLimit = { atOnce: number; perMinute: number; what: string }

/**
 * What takes noticeable CPU, memory or disk. The limits suffice for a person at a console or an unhurried program, but do not let one account
 * slow down the others.
 */
export const workLimits = {
  /** A hash of 20 ms each, and up to a second to check the password's strength. */
  newPasswords: { atOnce: 4, perMinute: 30, what: 'new passwords' },
  /** Prompts and recordings of words: a second of CPU each. */
  sounds: { atOnce: 4, perMinute: 30, what: 'sound files' },
  /** Contact files, pasted numbers, blacklist files and lists of refused rows: up to 20 MB to receive and read. */
  contactFiles: { atOnce: 2, perMinute: 20, what: 'contact files' },
  /** Previews read the whole file. As many as questions about blacklisted numbers, because a preview counts those. */
  previews: { atOnce: 4, perMinute: 20, what: 'previews and test calls' },
  /** Only one can be in progress at a time, and each is a campaign of its own. */
  callsNow: { atOnce: 2, perMinute: 10, what: 'calls by Call Now' },
  /** Limits what one account makes this server send to others. */
  smsTests: { atOnce: 1, perMinute: 6, what: 'test messages' },
  /** A change of a single number may wait for a file that is being stored. */
  blacklistNumbers: { atOnce: 4, perMinute: 240, what: 'changes of the blacklist' },
  /** Each takes some 14 kB for good, whether or not it ever calls. */
  newCampaigns: { atOnce: 4, perMinute: 60, what: 'new campaigns' },
  /** Pause, resume, stop, retry: one history and one audit line each. */
  campaignChanges: { atOnce: 4, perMinute: 240, what: 'changes of campaigns' },
  /** The same for up to a hundred rows, in a transaction each. */
  several: { atOnce: 2, perMinute: 30, what: 'changes of several rows' },
  /** CSV files and reports. A download lasts as long as its reader takes. */
  exports: { atOnce: 3, perMinute: 30, what: 'exports' },
  approvals: { atOnce: 4, perMinute: 60, what: 'sender IDs and texts' },
  /** Two short queries for each pause in typing in the palette. */
  searches: { atOnce: 4, perMinute: 120, what: 'searches' },
} as const satisfies Record<string, WorkLimit>
export type WorkKind = keyof typeof workLimits

/** Reports queued in the database; one of an account is made at a time. */
export const reportLimit = { atOnce: 20, what: 'reports' }

export const baseMakingLimit = { atOnce: 10, what: 'contact files' }

export const exportLimit = { atOnce: 10, what: 'exports' }

/** The Retry-After for too much at once; most work is done in seconds. */
export const busyAgainSeconds = 2

export const tooMuchAtOnce = ({ atOnce, what }: Omit<WorkLimit, 'perMinute'>): string =>
  `One account may have ${atOnce} ${what} under way at once. Try again in ${busyAgainSeconds} s`
export const tooMuchAMinute = ({ perMinute, what }: WorkLimit, seconds: number): string =>
  `One account may begin ${perMinute} ${what} a minute. Try again in ${seconds} s`
