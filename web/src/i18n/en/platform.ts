export const texts = {
  title: 'Stop All Dialling',
  subtitle: 'Takes effect within a second. Campaigns keep their status and go on when it is lifted.',
  stopPlatform: 'Stop all dialling',
  what: 'What to stop',
  kinds: {
    platform: 'The whole platform',
    dialer: 'A dialer',
    trunk: 'A trunk',
    account: 'An account and all below it',
  },
  target: 'Which one',
  reason: 'Reason',
  reasonHint: 'Shown to everybody whose campaigns wait.',
  submit: 'Stop dialling',
  question: (target: string) => `Are you sure you want to stop dialling: ${target}?`,
  effect: {
    counting: 'Counting what it stops…',
    stops: (running: string, toBegin: string, calls: string) =>
      `It stops ${running} running ${running === '1' ? 'campaign' : 'campaigns'} and ${toBegin} still to begin: ${calls} ${calls === '1' ? 'call is' : 'calls are'} not made.`,
    underWay: (calls: string) =>
      `${calls} ${calls === '1' ? 'call that is' : 'calls that are'} under way will end by themselves.`,
    failed: (why: string) => `What it stops could not be counted: ${why}`,
  },
  stopFailed: 'Dialling was not stopped',
  open: 'Stopped now',
  none: 'Nothing is stopped. Campaigns dial as they should.',
  columns: { target: 'What', kind: 'Kind', reason: 'Reason', by: 'By', since: 'Since', action: 'Action' },
  lift: 'Allow dialling',
  liftQuestion: 'Are you sure you want to allow dialling again?',
  liftFailed: 'Dialling is still stopped',
}
