export const texts = {
  title: 'Stop Calls and Messages',
  subtitle: 'Takes effect within a second. Campaigns keep their status and go on when it is lifted.',
  stopPlatform: 'Stop calls or messages',
  what: 'What to stop',
  kinds: {
    platform: 'The whole platform',
    dialer: 'A dialer',
    trunk: 'A trunk',
    account: 'An account and all below it',
    gateway: 'A message gateway',
  },
  target: 'Which one',
  stopped: 'Calls or messages',
  stoppable: { calls: 'Calls', messages: 'Messages', all: 'Calls and messages' },
  reason: 'Reason',
  reasonHint: 'Shown to everybody whose campaigns wait.',
  submit: 'Stop',
  question: {
    calls: (target: string) => `Are you sure you want to stop dialling: ${target}?`,
    messages: (target: string) => `Are you sure you want to stop sending messages: ${target}?`,
    all: (target: string) => `Are you sure you want to stop dialling and sending messages: ${target}?`,
  },
  effect: {
    counting: 'Counting what it stops…',
    stops: (running: string, toBegin: string, calls: string) =>
      `It stops ${running} running ${running === '1' ? 'campaign' : 'campaigns'} and ${toBegin} still to begin: ${calls} ${calls === '1' ? 'call is' : 'calls are'} not made.`,
    elsewhere: (campaigns: string) =>
      `${campaigns} ${campaigns === '1' ? 'campaign goes' : 'campaigns go'} on over the other trunks of ${campaigns === '1' ? 'its route' : 'their routes'}.`,
    underWay: (calls: string) =>
      `${calls} ${calls === '1' ? 'call that is' : 'calls that are'} under way will end by themselves.`,
    stopsMessages: (running: string, toBegin: string, messages: string) =>
      `It stops ${running} running SMS ${running === '1' ? 'campaign' : 'campaigns'} and ${toBegin} still to begin: ${messages} ${messages === '1' ? 'message is' : 'messages are'} not sent.`,
    messagesUnderWay: (messages: string) =>
      `${messages} ${messages === '1' ? 'message is' : 'messages are'} with a gateway already and may still arrive.`,
    otherGateways: 'Messages go over the other gateways of their routes; those that have no other wait.',
    failed: (why: string) => `What it stops could not be counted: ${why}`,
  },
  stopFailed: 'Nothing was stopped',
  open: 'Stopped now',
  columns: {
    target: 'What',
    kind: 'Kind',
    what: 'Stopped',
    reason: 'Reason',
    by: 'By',
    since: 'Since',
    action: 'Action',
  },
  lift: { calls: 'Allow dialling', messages: 'Allow messages', all: 'Allow both' },
  liftQuestion: {
    calls: 'Are you sure you want to allow dialling again?',
    messages: 'Are you sure you want to allow messages again?',
    all: 'Are you sure you want to allow dialling and messages again?',
  },
  liftFailed: 'It is still stopped',
}
