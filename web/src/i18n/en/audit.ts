import { auditActionWords, auditDetailWords, auditTargetWords, nobodyWords } from '@ghanti/contract/audit-words.ts'

/** Kinds of actions by the part before the dot. 'opened': what others opened of the reader's. */
const kinds: Readonly<Record<string, string>> = {
  login: 'Logins',
  user: 'Users',
  credits: 'Credits',
  plan: 'Voice plans',
  campaign: 'Campaigns',
  prompt: 'Voice files',
  voice: 'Voice packs',
  base: 'Contacts',
  blacklist: 'Blacklist',
  report: 'Reports',
  export: 'Exports',
  cli: 'Caller IDs',
  dialer: 'Dialers',
  trunk: 'Trunks',
  dialling: 'Stopped dialling',
  hours: 'Calling hours',
  brand: 'Brands',
  domain: 'Domains',
  password: 'Passwords',
  sms: 'SMS campaigns',
  gateway: 'Gateways',
  route: 'Routes of messages',
  sender: 'Sender IDs',
  text: 'Texts of messages',
}

/** Values that the server writes as words; others are shown as they are. */
const values: Readonly<Record<string, string>> = {}

export const texts = {
  filterLabels: { action: 'Kind', actor: 'User', target: 'Target', opened: 'Opened', others: 'by others' },
  targetHint: 'campaign 12',
  title: 'Audit Log',
  subtitle: {
    user: 'What you did, and who above you opened your data.',
    reseller: 'What you and the accounts below you did, and who opened your data or theirs.',
    superAdmin: 'What everybody did.',
  },
  actions: auditActionWords,
  kinds,
  targets: auditTargetWords,
  labels: auditDetailWords,
  values,
  rupees: 'Rs',
  seconds: (count: string) => `${count} s`,
  nobody: nobodyWords,
  columns: { at: 'Time', user: 'User', action: 'Action', target: 'Target', detail: 'Details', ip: 'IP address' },
  searches: 'Searches usernames; from three letters on, also actions (like campaign.stop), targets, names and reasons.',
}
