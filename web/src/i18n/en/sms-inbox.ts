import type { InboxAction } from '@ghanti/contract/sms-inbox.ts'

export const texts = {
  title: 'Incoming Messages',
  subtitle: {
    user: 'What people wrote back to your messages. STOP and words like it put the number on your blacklist.',
    reseller: 'What people wrote back to your customers’ messages.',
    superAdmin: 'What people wrote back. The words that count are in Settings.',
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
    alreadyOut: 'On the blacklist already',
    optIn: 'Opt-out taken back',
    notOut: 'No opt-out to take back',
    help: 'Asked for help',
  } satisfies Record<InboxAction, string>,
  none: '–',
  nobody: 'Nobody had written to it',
  empty: {
    user: 'Nobody has written back yet. What people answer to your messages is shown here.',
    reseller: 'Nobody has written back to your customers yet.',
    superAdmin: 'Nothing came in yet. Messages come from SMPP gateways, and by callback from HTTP gateways.',
  },
}
