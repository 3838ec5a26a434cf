import type { HoldCause } from '@ghanti/contract/campaign-status.ts'

/** Whose turn it is, in one or two sentences: the cause, who can act, how it goes on. */
export const texts = {
  causes: {
    hours: 'Outside the calling hours.',
    dialer: 'The machine that places its calls does not answer.',
    trunk: 'Its telephone line carries no calls now.',
    prompts: 'One of its voice files cannot be played.',
    refusals: 'The telephone network refused all its last calls.',
    disabled: 'The account is disabled.',
    expired: 'The account has expired.',
    lowBalance: 'Balance too low.',
    balance: 'The balance is enough again.',
    administrator: 'An administrator paused it.',
  } satisfies Record<HoldCause, string>,
  youPaused: 'You paused it.',
  pausedBy: (who: string) => `${who} paused it.`,
  withNumber: (company: string, number: string) => `${company} (${number})`,
  ask: (whom: string) => `Ask ${whom}.`,
  askIfLong: (whom: string) => `If it lasts, ask ${whom}.`,
  recharge: (username: string) => `Recharge ${username}.`,
  byItself: 'Goes on by itself.',
  byItselfAfterwards: 'Goes on by itself afterwards.',
  resumeAfterwards: 'Resume it afterwards.',
  resumeIt: 'Resume it to go on.',
  ownerResumes: (username: string) => `Goes on when ${username} resumes it.`,
  holderResumes: 'Goes on when they resume it.',
  resume: 'Resume',
  call: (company: string) => `Call ${company}`,
  acts: {
    recharge: 'Add Recharge',
    customer: 'Open the account',
    hours: 'Calling hours',
    dialers: 'Dialers',
    trunks: 'Trunks',
  },
}
