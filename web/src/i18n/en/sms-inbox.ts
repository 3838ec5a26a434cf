import type { InboxAction } from '@ghanti/contract/sms-inbox.ts'

export const texts = {
  title: 'Incoming Messages',
  subtitle: {
    user: 'Replies to your messages. STOP and similar words put the number on your blacklist.',
    reseller: 'Replies to your customers’ messages.',
    superAdmin: 'Replies to messages. The words that opt out are in Settings.',
  },
  searchHint: 'Search for a whole number, its beginning or at least its last four digits.',
  columns: {
    msisdn: 'From',
    text: 'Message',
    action: 'What was done',
    campaign: 'After campaign',
    customer: 'Customer',
    to: 'To',
    received: 'Received',
  },
  filterCampaign: 'Campaign (name or ID)',
  actions: {
    waiting: 'Not looked at yet',
    kept: 'Kept',
    optOut: 'Opted out',
    alreadyOut: 'Already on the blacklist',
    optIn: 'Opt-out taken back',
    notOut: 'No opt-out to take back',
    help: 'Asked for help',
  } satisfies Record<InboxAction, string>,
  none: '–',
  nobody: 'Nobody had written to it',
}
