export const texts = {
  title: 'Settings',
  subtitle: 'These apply to the whole platform.',
  index: 'Sections',
  save: 'Save',
  saved: 'The settings were saved.',
  unchanged: 'Nothing is changed.',
  changed: (count: string, isOne: boolean, title: string) =>
    isOne ? `Changed: ${title}` : `Changed: ${count} sections. All are saved together, or none.`,
  recordingNotice: { title: 'Notice before recordings' },
  numberCaps: {
    title: 'Calls to one number on one day',
    note: 'A number takes one call at a time, whoever calls it. Calls that rang, or ended as if they had, count. Days are in Nepal time. A number that has reached a limit waits for the next day. A lower limit only stops further calls.',
    fields: {
      answered: 'Answered calls from one account',
      attempted: 'Calls from one account, answered or not',
      platform: 'Calls from all accounts together',
    },
    over: (numbers: string, isOne: boolean) =>
      isOne
        ? 'One number was called more often today than this: it is not called again today. Calls under way continue.'
        : `${numbers} numbers were called more often today than this: they are not called again today. Calls under way continue.`,
  },
  quotas: {
    title: 'What an account may store',
    note: 'The same for every account; its profile shows what it uses. Storage is contact files, voice files, voice packs, logos, exports and the rows of campaigns. Rows of a campaign count until they are called, files and blacklisted numbers until they are deleted. An account without room for recordings goes on calling, and its conversations are not recorded.',
    fields: {
      megabytes: 'Storage (MB)',
      recordingMegabytes: 'Recordings (MB; an hour takes 58)',
      rows: 'Rows of campaigns and refused lines',
      campaigns: 'Campaigns that are not finished',
      prompts: 'Voice files',
      blacklist: 'Numbers on the blacklist',
    },
    over: (accounts: string, isOne: boolean) =>
      isOne
        ? 'One account stores more than this. Nothing is deleted; the account can add nothing until it stores less.'
        : `${accounts} accounts store more than this. Nothing is deleted; they can add nothing until they store less.`,
    of: (what: string, used: string, quota: string) => `${what}: ${used} of ${quota}`,
    others: (accounts: string) => `and ${accounts} more`,
  },
  contactFileDays: {
    title: 'Contact files that nobody uses',
    note: 'A contact file is deleted automatically when no campaign has used it for this many days. Campaigns keep their rows.',
    field: 'Days until it is deleted',
  },
  exportDays: {
    title: 'Exports',
    note: 'A file made in the background is deleted automatically this many days after it was made.',
    field: 'Days to keep an export',
  },
  historyMonths: {
    title: 'Old calls and messages',
    note: 'Each night, older calls and messages are written to compressed files, read back and compared, and then removed from the database. Sums, money and insight stay; individual calls can be downloaded from the page of their campaign. 0: they are kept for ever.',
    field: 'Months to keep them',
  },
  archives: {
    title: 'Archived calls and messages',
    none: 'Nothing was archived yet.',
    kinds: { calls: 'Calls', messages: 'Messages' },
    columns: {
      what: 'What',
      between: 'From and to',
      rows: 'Rows',
      size: 'Size (MB)',
      sum: 'SHA-256',
      made: 'Archived',
      download: 'Download',
    },
    download: (what: string, from: string) => `Download: ${what}, ${from}`,
  },
  smsNumberCaps: {
    title: 'Messages to one number on one day',
    note: 'A message counts once, however many segments it has. Days are in Nepal time. A number that has reached a limit waits for the next day. A lower limit only stops further messages.',
    fields: { account: 'Messages from one account', platform: 'Messages from all accounts together' },
  },
  smsPricePaisa: {
    title: 'What a message costs',
    note: 'The price of a segment for plans without a price of their own. It is refused if an account would then pay less for messages than the account above it. Existing campaigns keep their price.',
    field: 'Price of a segment (paisa)',
  },
  optOut: {
    title: 'Opting out of messages',
    note: 'A number that writes back one of these words is put on the blacklist of the account that last sent it a message, or taken off it. Case, punctuation and spaces do not matter. The answer goes through the same gateway, at most once in 24 hours for each number; no account pays for it.',
    fields: {
      stopWords: 'Words that stop messages',
      startWords: 'Words that allow messages again',
      helpWords: 'Words that ask for help',
      confirm: 'Confirm an opt-out',
      confirmText: 'The confirmation',
      help: 'Answer those who ask for help',
      helpText: 'The answer',
    },
    hints: {
      stopWords:
        'One per line. A message may consist of it or start with it. “please stop”, “रोक्नुहोस्” and their like count anyway.',
      startWords: 'One per line. It must be the whole message, and only undoes an opt-out.',
      helpWords: 'One per line. A message may consist of it or start with it.',
    },
  },
  inboxDays: {
    title: 'How long incoming messages are kept',
    note: 'Incoming messages are deleted after this many days. Opt-outs are kept.',
    field: 'Days to keep them',
  },
  smsAddressHosts: {
    title: 'Allowed addresses for SMS after the call',
    note: 'Customers’ addresses may use any public host on ports 80 and 443. Private hosts and other ports must be listed here. A demo uses only listed hosts on this machine.',
    field: 'Allowed hosts',
    hint: 'One per line, with the port unless it is the usual one: sms.office or 10.0.0.7:8080',
  },
  smsHours: {
    title: 'Messaging hours',
    note: 'When messages may be sent, in Nepal time. Waiting messages are sent when these hours next begin.',
    enabled: 'Keep to these hours',
  },
  dialerWaitMinutes: {
    title: 'Dialers that do not answer',
    note: 'After this many minutes, the calls of such a dialer end as lost, each as soon as it must be over by the clock. They are not charged, their channels and money are freed, and only Retry calls those numbers again.',
    field: 'Minutes to wait',
  },
  lostServer: {
    title: 'When the server is gone',
    note: 'If the server dies and no other takes its calls over, the dialer waits this long, says these sentences, and hangs up. Calls are charged up to the moment when the server was gone. Whoever talks to an agent is left alone. An empty sentence is not said. Dialers learn this while they have campaigns.',
    fields: {
      seconds: 'Seconds to wait',
      nepali: 'Sentence in Nepali',
      english: 'Sentence in English, said after it',
    },
  },
  operatorPrefixes: {
    title: 'Operators of mobile numbers',
    note: 'The first digits of each operator’s mobile numbers, without the country code, separated by spaces. If several match, the longest one counts; a number that matches none belongs to another operator. Messages are routed accordingly.',
    fields: { ntc: 'Nepal Telecom', ncell: 'Ncell', smart: 'Smart Telecom' },
  },
  /** Its other words are in factors.ts. */
  secondFactor: { title: 'Second factor' },
  proofMinutes: { title: 'Asked again before sensitive changes' },
  firstPassword: { title: 'Passwords that others chose' },
  textApproval: {
    title: 'Message texts that wait for approval',
    note: 'A waiting text can be sent once a super admin has approved it. If nothing is set, no text waits.',
    fields: { promotional: 'Every text of promotional accounts', words: 'Words' },
    wordsHint: 'One per line. A text that contains one of these words waits, whoever wrote it.',
  },
}
