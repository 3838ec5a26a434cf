/** What an empty list says: what it is for, and what to do next. By its name in components/table/empty-lists.ts. */
export const texts = {
  runningOwn: {
    is: 'Your campaigns that are dialling are counted here. None is dialling now.',
    next: 'Compose a voice campaign',
  },
  runningBelow: {
    is: 'Accounts whose campaigns are dialling are listed here. No campaign is running now.',
    next: 'See all campaigns',
  },
  voiceCampaigns: {
    is: 'Your campaigns are listed here with their progress. You have none yet.',
    next: 'Compose the first one',
  },
  voiceCampaignsBelow: {
    is: 'Campaigns that users compose are listed here with their progress. There are none yet.',
    next: 'Go to your users',
  },
  attempts: {
    is: 'Each call of the campaign is listed here when it ends. No attempt has ended yet.',
    next: 'The reason above says when calls begin.',
  },
  callsOwn: {
    is: 'Each call is listed here as soon as it ends. There are none yet.',
    next: 'Compose a voice campaign',
  },
  callsBelow: {
    is: 'Calls of your customers are listed here as they end. There are none yet.',
    next: 'See their campaigns',
  },
  callsAll: { is: 'Each call is listed here as soon as it ends. There are none yet.', next: 'See all campaigns' },
  setups: {
    is: 'A set-up keeps what you compose often, without the contacts. None is saved yet: choose “Save as set-up…” while you compose.',
    next: 'Compose a campaign',
  },
  repeating: {
    is: 'A repeating campaign is composed automatically, every day or on a date of each contact. There are none yet.',
    next: 'Repeat the first one',
  },
  repeatingDays: {
    is: 'Each day is listed here with its campaign, half an hour before it begins. None has come yet.',
    next: 'There is nothing to do: days appear automatically.',
  },
  exports: {
    is: 'Exports of all calls or rows wait here until you download them. There are none yet.',
    next: 'Ask for one in the report',
  },
  smsCampaigns: {
    is: 'Your SMS campaigns are listed here with what arrived. You have none yet.',
    next: 'Compose the first one',
  },
  smsCampaignsBelow: {
    is: 'SMS campaigns that users compose are listed here. There are none yet.',
    next: 'Go to your users',
  },
  messages: {
    is: 'Each message is listed here with what became of it.',
    next: 'The numbers are being prepared. Wait a moment.',
  },
  unapproved: {
    is: 'Rows whose values a super admin must check are listed here.',
    next: 'No rows are waiting for approval: there is nothing to do.',
  },
  inboxOwn: {
    is: 'Answers to your messages are listed here. Nobody has answered yet.',
    next: 'Send an SMS campaign',
  },
  inboxBelow: {
    is: 'Answers to your customers’ messages are listed here. Nobody has answered yet.',
    next: 'See their campaigns',
  },
  inboxAll: {
    is: 'Messages to the platform are listed here. They arrive over SMPP, or by callback from HTTP gateways.',
    next: 'See the gateways',
  },
  senders: {
    is: 'A sender ID is the name that your messages come from. You have none yet; once one is approved, your campaigns can use it.',
    next: 'Ask for the first one',
  },
  sendersOfOthers: {
    is: 'Sender IDs that accounts ask for are listed here. Nobody has asked yet.',
    next: 'There is nothing to do until somebody asks.',
  },
  savedTexts: {
    is: 'Texts that you send often can be saved here. You have none yet.',
    next: 'Save the first one',
  },
  savedTextsOfOthers: {
    is: 'Texts that accounts save are listed here. Nobody has saved one yet.',
    next: 'There is nothing to do until somebody does.',
  },
  voiceFiles: {
    is: 'Voice files are what people hear in a call. You have none yet.',
    next: 'Upload or record the first one',
  },
  voiceFilesOfCustomers: {
    is: 'Voice files of your customers are listed here, to listen to. There are none like this.',
    next: 'See all of them by clearing the filters, or go to your users.',
  },
  voiceFilesForApproval: {
    is: 'The voice files of all users are listed here, those that wait for your decision first. There is none yet.',
    next: 'There is nothing to do until somebody uploads one.',
  },
  voicePacks: {
    is: 'A voice pack speaks dates, amounts and names in a recorded voice: download its list of words, record each as a wav file and upload them. There are none yet.',
    next: 'Make the first one',
  },
  packWords: {
    is: 'The words of the pack are listed here. There are none like this.',
    next: 'See every word',
  },
  contactFiles: {
    is: 'Contact files hold the people whom you call, ready for every campaign. None is stored yet.',
    next: 'Add the first one',
  },
  blacklist: {
    is: 'Numbers that must never be called are listed here. No number is blacklisted yet.',
    next: 'Add the first number',
  },
  plans: { is: 'A plan says what a customer pays for a call. There are none yet.', next: 'Add the first plan' },
  creditsOwn: {
    is: 'What was added to your balance and what campaigns cost is listed here. Nothing has moved yet.',
    next: 'Ask your provider for a recharge.',
  },
  creditsBelow: {
    is: 'Recharges, margins and what campaigns cost are listed here. Nothing has moved yet.',
    next: 'Recharge a customer',
  },
  statement: {
    is: 'The totals of a month are listed here, so that you can check the books. Nothing moved in this month.',
    next: 'Choose another month above.',
  },
  users: { is: 'The accounts of your customers are listed here. There are none yet.', next: 'Create the first one' },
  superAdmins: {
    is: 'The people who run the platform are listed here.',
    next: 'None has this name: clear the search.',
  },
  clis: {
    is: 'Caller IDs are the numbers that people see when they are called. There are none yet.',
    next: 'Add the first one',
  },
  clisOfAccount: {
    is: 'Caller IDs are the numbers that people see when you call. You have none yet.',
    next: 'Ask your provider for one.',
  },
  allocatedClis: {
    is: 'Caller IDs that were given to accounts are listed here. None has been given yet.',
    next: 'Allocate the first one',
  },
  dialers: { is: 'No Dialer found. Dialers are the machines that place the calls.', next: 'Create the first one' },
  trunks: {
    is: 'A trunk is an operator’s line on a dialer, and caller IDs belong to it. There are none yet.',
    next: 'Create the first one',
  },
  dispositions: {
    is: 'What the operator’s codes mean on this trunk is listed here. All have their usual meaning.',
    next: 'Add a row above for a code that this operator uses in another sense.',
  },
  gateways: {
    is: 'A gateway is an operator’s system that takes messages. There are none yet.',
    next: 'Create the first one',
  },
  smsRoutes: {
    is: 'A route says through which gateways messages go. Without one no message can be sent.',
    next: 'Create the first one',
  },
  stops: {
    is: 'What was stopped, by whom and why, is listed here. Nothing is stopped.',
    next: 'Campaigns dial and send as they should: there is nothing to do.',
  },
  hourExceptions: {
    is: 'Accounts with calling hours of their own are listed here. All accounts call in the hours above.',
    next: 'Give an account its own hours',
  },
  audit: {
    is: 'Who did what, and from where, is listed here. Nothing has been done yet.',
    next: 'There is nothing to do: entries appear automatically.',
  },
  alerts: {
    is: 'What went wrong on the platform is listed here until it is cleared. No alert is open.',
    next: 'Everything is as it should be: there is nothing to do.',
  },
  domains: {
    is: 'Domains that resellers ask for are listed here. Nobody has asked for one yet.',
    next: 'There is nothing to do until somebody asks.',
  },
  insightRows: {
    is: 'Figures are compared here, one row each. There is nothing to compare in these days.',
    next: 'Choose other days above.',
  },
  notices: {
    is: 'Whatever concerns you is listed here, such as a low balance or a rejected file. There are no notices yet.',
    next: 'Choose what you are notified about',
  },
  contracts: {
    is: 'A contract limits the calls of several trunks of an operator together. Without one, each trunk has only its own limits. You need one when trunks on several dialers share channels or calls a second.',
    next: 'Create the first one',
  },
  callRoutes: {
    is: 'A route says over which trunks the calls of caller IDs go, so that they go on over another while one does not work. Without a route, each uses its own trunk.',
    next: 'Create the first one',
  },
}

/** Of lists that have rows, none of which is shown. */
export const states = {
  beyondEnd: 'This page is beyond the last row.',
  firstPage: 'Go to the first page',
  noneFiltered: 'Nothing matches these filters.',
}
