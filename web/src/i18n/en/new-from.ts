import { dispositionNames } from './call-words.ts'

export const texts = {
  title: (campaign: string) => `New campaign from ${campaign}`,
  intro:
    'A contact file is made of the rows that you choose, with all their columns. Then the form of a new campaign opens with it.',
  who: 'Whom to call',
  ways: {
    unreached: 'Who was not reached',
    keys: 'Who pressed a key',
    short: 'Who answered and listened only briefly',
    everybody: 'Everybody',
  },
  ends: 'How the calls to them ended',
  endNames: { ...dispositionNames, DND: 'On a blacklist', EXPIRED: 'Not finished in time' },
  keys: 'Keys',
  keysHint: 'Any of these, in any menu.',
  seconds: 'Listened for less than this many seconds',
  other: 'Only those who are not in this campaign',
  otherEveryone: 'Whoever is in that campaign too is left out.',
  noCampaign: 'No campaign found',
  baseName: 'Name of the contact file',
  blacklisted: 'Whoever is on a blacklist by then is not called.',
  make: 'Make and compose',
  cancel: 'Cancel',
  waiting: 'Waiting for its turn…',
  making: (rows: string) => `Making the contact file: ${rows === '1' ? '1 row' : `${rows} rows`} so far…`,
  stays: 'You may close this: the file will be among your contact files.',
  failed: 'The contact file was not made',
  file: 'The contact file',
  back: 'Choose again',
  /** Parts of the new file's name, joined by commas. */
  names: {
    unreached: 'not reached',
    keys: (keys: string) => `pressed ${keys}`,
    short: (seconds: string) => `less than ${seconds} s`,
    everybody: 'not in another one',
  },
  fields: {
    baseName: 'The name of the contact file',
    dispositions: 'How the calls ended',
    keys: 'Keys',
    maxSeconds: 'The seconds',
    notInCampaignId: 'The other campaign',
    campaignId: 'The campaign',
    account: 'The account',
  },
}
