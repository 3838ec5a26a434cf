/** What an empty list says: what it is for, and what to do next. By its name in components/table/empty-lists.ts. */
export const texts = {
  runningOwn: { is: 'Your campaigns that dial now are counted here. None does.', next: 'Compose a voice campaign' },
  runningBelow: {
    is: 'Accounts whose campaigns dial now stand here. No campaign is running now.',
    next: 'See all campaigns',
  },
  voiceCampaigns: {
    is: 'Your campaigns stand here with their progress. You have none yet.',
    next: 'Compose the first one',
  },
  voiceCampaignsBelow: {
    is: 'Campaigns that users compose stand here with their progress. There is none yet.',
    next: 'Look after your users',
  },
  attempts: {
    is: 'Each call of the campaign stands here when it ends. No attempt has ended yet.',
    next: 'The reason above says when calls begin.',
  },
  callsOwn: { is: 'Each call stands here as soon as it ends. There is none yet.', next: 'Compose a voice campaign' },
  callsBelow: { is: 'Calls of your customers stand here as they end. There is none yet.', next: 'See their campaigns' },
  callsAll: { is: 'Each call stands here as soon as it ends. There is none yet.', next: 'See all campaigns' },
  setups: {
    is: 'A set-up keeps what you compose often, without its people. None is saved yet.',
    next: 'Compose a campaign and choose “Save as set-up…”',
  },
  repeating: {
    is: 'A repeating campaign composes one by itself, every day or on a date of each contact. There is none yet.',
    next: 'Repeat the first one',
  },
  repeatingDays: {
    is: 'Each day stands here with its campaign, half an hour before it begins. None has come yet.',
    next: 'There is nothing to do: days appear by themselves.',
  },
  exports: {
    is: 'Exports of all calls or rows wait here until you download them. There is none yet.',
    next: 'Ask for one in the report',
  },
  smsCampaigns: {
    is: 'Your SMS campaigns stand here with what arrived. You have none yet.',
    next: 'Compose the first one',
  },
  smsCampaignsBelow: {
    is: 'SMS campaigns that users compose stand here. There is none yet.',
    next: 'Look after your users',
  },
  messages: {
    is: 'Each message stands here with what became of it.',
    next: 'The numbers are being prepared. Wait a moment.',
  },
  unapproved: {
    is: 'Rows whose values a super admin must look at stand here.',
    next: 'No rows are waiting for approval: there is nothing to do.',
  },
  inboxOwn: {
    is: 'What people answer to your messages stands here. Nobody has answered yet.',
    next: 'Send an SMS campaign',
  },
  inboxBelow: {
    is: 'What people answer to your customers’ messages stands here. Nobody has answered yet.',
    next: 'See their campaigns',
  },
  inboxAll: {
    is: 'What people write to the platform stands here. It arrives over SMPP, or by callback from HTTP gateways.',
    next: 'See the gateways',
  },
  senders: {
    is: 'A sender ID is the name that your messages come from. You have none yet.',
    next: 'Ask for one above. Once it is approved, your campaigns can use it.',
  },
  sendersOfOthers: {
    is: 'Sender IDs that accounts ask for stand here. Nobody has asked yet.',
    next: 'There is nothing to do until somebody asks.',
  },
  savedTexts: {
    is: 'Texts that you send often can be saved here. You have none yet.',
    next: 'Save the first one above.',
  },
  savedTextsOfOthers: {
    is: 'Texts that accounts save stand here. Nobody has saved one yet.',
    next: 'There is nothing to do until somebody does.',
  },
  voiceFiles: {
    is: 'Voice files are what people hear in a call. You have none yet.',
    next: 'Upload or record the first one',
  },
  voiceFilesOfCustomers: {
    is: 'Voice files of your customers stand here, to listen to. There is none like this.',
    next: 'See all of them by clearing the filters, or look after your users.',
  },
  voiceFilesForApproval: {
    is: 'Voice files that wait for your decision stand here. None does.',
    next: 'There is nothing to do until somebody uploads one.',
  },
  voicePacks: {
    is: 'A voice pack speaks dates, amounts and names in a recorded voice. There is none yet.',
    next: 'Make one above, download its list of words, record each word as a wav file and upload them.',
  },
  packWords: {
    is: 'The words of the pack stand here. There is none like this.',
    next: 'Choose “All” above to see every word.',
  },
  contactFiles: {
    is: 'Contact files hold the people whom you call, ready for every campaign. None is stored.',
    next: 'Upload one above: Excel, CSV or text.',
  },
  blacklist: {
    is: 'Numbers that must never be called stand here. No number is blacklisted yet.',
    next: 'Add the first number',
  },
  plans: { is: 'A plan says what a customer pays for a call. There is none yet.', next: 'Add the first plan' },
  creditsOwn: {
    is: 'What was added to your balance and what campaigns cost stands here. Nothing has moved yet.',
    next: 'Ask your provider for a recharge.',
  },
  creditsBelow: {
    is: 'Recharges, margins and what campaigns cost stand here. Nothing has moved yet.',
    next: 'Recharge a customer',
  },
  statement: {
    is: 'The sums of a month stand here, to check the books. Nothing moved in this one.',
    next: 'Choose another month above.',
  },
  users: { is: 'The accounts of your customers stand here. There is none yet.', next: 'Create the first one' },
  superAdmins: { is: 'The people who run the platform stand here.', next: 'None has this name: clear the search.' },
  clis: {
    is: 'Caller IDs are the numbers that people see when they are called. There is none yet.',
    next: 'Add the first one',
  },
  clisOfAccount: {
    is: 'Caller IDs are the numbers that people see when you call. You have none yet.',
    next: 'Ask your provider for one.',
  },
  allocatedClis: {
    is: 'Caller IDs that were given to accounts stand here. None was yet.',
    next: 'Allocate the first one',
  },
  dialers: { is: 'No Dialer found. Dialers are the machines that place the calls.', next: 'Create the first one' },
  trunks: {
    is: 'A trunk is an operator’s line on a dialer, and caller IDs belong to it. There is none yet.',
    next: 'Create the first one',
  },
  dispositions: {
    is: 'What the operator’s codes mean on this trunk stands here. The usual meanings hold.',
    next: 'Add a row above for a code that this operator uses otherwise.',
  },
  gateways: {
    is: 'A gateway is an operator’s system that takes messages. There is none yet.',
    next: 'Create the first one',
  },
  smsRoutes: {
    is: 'A route says through which gateways messages go. Without one no message can be sent.',
    next: 'Create the first one above.',
  },
  stops: {
    is: 'What was stopped, by whom and why, stands here. Nothing is stopped.',
    next: 'Campaigns dial and send as they should: there is nothing to do.',
  },
  hourExceptions: {
    is: 'Accounts with calling hours of their own stand here. All accounts call in the hours above.',
    next: 'Give an account its own hours with the button above.',
  },
  audit: {
    is: 'Who did what, and from where, stands here. Nothing was done yet.',
    next: 'There is nothing to do: lines appear by themselves.',
  },
  alerts: {
    is: 'What went wrong on the platform stands here until it is cleared. No alert is open.',
    next: 'All is as it should be: there is nothing to do.',
  },
  domains: {
    is: 'Domains that resellers ask for stand here. Nobody has asked for one yet.',
    next: 'There is nothing to do until somebody asks.',
  },
  insightRows: {
    is: 'Figures are compared here, one row each. There is nothing to compare in these days.',
    next: 'Choose other days above.',
  },
  notices: {
    is: 'What concerns you stands here, such as a low balance or a rejected file. There is no notice yet.',
    next: 'Choose what you are told of',
  },
  callRoutes: {
    is: 'A route says over which trunks the calls of caller IDs go. Without one each uses its own trunk.',
    next: 'Create one above, so that calls go on over another trunk while one does not work.',
  },
}
