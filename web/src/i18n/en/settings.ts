export const texts = {
  title: 'Settings',
  subtitle: 'They hold for the whole platform.',
  numberCaps: {
    title: 'Calls to one number on one day',
    note: 'A number takes one call at a time, whoever calls it. Calls that rang count, and those that ended as if they had; a day is Nepal’s. Numbers that were called more often wait for the next day. A lower limit stops further calls only.',
    fields: {
      answered: 'Answered calls from one account',
      attempted: 'Calls from one account, answered or not',
      platform: 'Calls from all accounts together',
    },
    save: 'Save',
    saved: 'The limits were saved.',
    over: (numbers: string, isOne: boolean) =>
      isOne
        ? 'One number was called more often today than this: it is not called again today. Calls under way go on.'
        : `${numbers} numbers were called more often today than this: they are not called again today. Calls under way go on.`,
  },
  quotas: {
    title: 'What an account may store',
    note: 'The same for every account; its profile shows what it uses. Rows of a campaign count until they are called, files and blacklisted numbers until they are deleted.',
    fields: {
      megabytes: 'Storage (MB)',
      rows: 'Rows of campaigns and refused lines',
      campaigns: 'Campaigns that are not finished',
      prompts: 'Voice files',
      blacklist: 'Numbers on the blacklist',
    },
    save: 'Save the quotas',
    saved: 'The quotas were saved.',
    over: (accounts: string, isOne: boolean) =>
      isOne
        ? 'One account stores more than this. Nothing of it is deleted; the account can add nothing until it stores less.'
        : `${accounts} accounts store more than this. Nothing is deleted; they can add nothing until they store less.`,
    of: (what: string, used: string, quota: string) => `${what}: ${used} of ${quota}`,
    others: (accounts: string) => `and ${accounts} more`,
  },
  contactFileDays: {
    title: 'Contact files that nobody uses',
    note: 'A contact file goes by itself when no campaign was made of it for so many days. Campaigns keep their rows.',
    field: 'Days until it goes',
    save: 'Save the days',
    saved: 'The days were saved.',
  },
  smsNumberCaps: {
    title: 'Messages to one number on one day',
    note: 'A message counts once, however many segments it has; a day is Nepal’s. Numbers that had as many wait for the next day. A lower limit stops further messages only.',
    fields: { account: 'Messages from one account', platform: 'Messages from all accounts together' },
    save: 'Save the limits of messages',
    saved: 'The limits of messages were saved.',
  },
  smsPricePaisa: {
    title: 'What a message costs',
    note: 'The price of a segment where a plan has none of its own. It is refused when a plan would cost less for messages than the plan of the account above. Campaigns that exist keep their price.',
    field: 'Price of a segment (paisa)',
    save: 'Save the price',
    saved: 'The price was saved.',
  },
  optOut: {
    title: 'Opting out of messages',
    note: 'Who writes one of these words back is put on the blacklist of the account whose message came last, or taken off again. Letter case, punctuation and blanks do not matter. An answer is sent by the gateway that the word came by, once in 24 hours for each number; no account pays for it.',
    fields: {
      stopWords: 'Words that stop messages',
      startWords: 'Words that let them come again',
      helpWords: 'Words that ask for help',
      confirm: 'Confirm an opt-out',
      confirmText: 'The confirmation',
      help: 'Answer those who ask for help',
      helpText: 'The answer',
    },
    hints: {
      stopWords: 'One a line. It may be the whole message or begin it.',
      startWords: 'One a line. It must be the whole message, and takes back an opt-out alone.',
      helpWords: 'One a line. It may be the whole message or begin it.',
    },
    save: 'Save the words and answers',
    saved: 'The words and answers were saved.',
  },
  inboxDays: {
    title: 'How long incoming messages stay',
    note: 'What people wrote back is deleted after so many days. Opt-outs stay.',
    field: 'Days until they go',
    save: 'Save the days of incoming messages',
    saved: 'The days were saved.',
  },
  smsAddressHosts: {
    title: 'Where SMS after the call may lead',
    note: 'Customers’ addresses after a call may lead to any public host, at ports 80 and 443. Hosts of private networks and other ports are asked only when they are listed here; a demo asks these alone, and of them those on this machine.',
    field: 'Allowed hosts',
    hint: 'One a line, with the port when it is not the usual one: sms.office or 10.0.0.7:8080',
    save: 'Save the hosts',
    saved: 'The hosts were saved.',
  },
  smsHours: {
    title: 'Hours of messages',
    note: 'When messages may be sent, in Nepal time. Messages that wait go on at the next opening.',
    enabled: 'Keep to these hours',
    save: 'Save the hours of messages',
    saved: 'The hours of messages were saved.',
  },
  dialerWaitMinutes: {
    title: 'Dialers that do not answer',
    note: 'After so many minutes the calls of such a dialer end as lost, each as soon as it must be over by the clock. They are not charged; their channels and money are free again, and only Retry calls them again.',
    field: 'Minutes to wait',
    save: 'Save the wait',
    saved: 'The wait was saved.',
  },
  operatorPrefixes: {
    title: 'Whose a mobile number is',
    note: 'The first digits of each operator’s mobile numbers, without the country code, divided by blanks. Of two that fit a number the longer one holds; what none fits is another operator’s. Messages are routed by it.',
    fields: { ntc: 'Nepal Telecom', ncell: 'Ncell', smart: 'Smart Telecom' },
    save: 'Save the prefixes',
    saved: 'The prefixes were saved.',
  },
  textApproval: {
    title: 'Message texts that wait for approval',
    note: 'A text that waits is sent after a super admin approved it. Nothing set: no text waits.',
    fields: { promotional: 'Every text of promotional accounts', words: 'Words' },
    wordsHint: 'One a line. A text with one of them waits, whosever it is.',
    save: 'Save what waits',
    saved: 'What waits for approval was saved.',
  },
}
