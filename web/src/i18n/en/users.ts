export const texts = {
  filterLabels: { state: 'State', states: { active: 'Active', expired: 'Expired', disabled: 'Disabled' } },
  title: 'Users',
  subtitle: (rupees: string) => `Your credits: Rs ${rupees}`,
  subtitleOfPlatform: 'Every account of the platform',
  create: 'Create User',
  exportAll: 'Export All Columns',
  update: 'Update User',
  updateOf: (username: string) => `Update User ${username}`,
  updated: 'The user was updated.',
  back: 'All users',
  cancel: 'Cancel',
  ofNobody: 'A super admin’s account can be changed on the server only.',
  notYours: (parent: string) => `This account belongs to ${parent}: only its parent can change it.`,
  fields: {
    username: 'Username',
    invite: 'Invitation',
    password: 'Password',
    confirm: 'Confirm Password',
    name: 'Name',
    emailid: 'E-mail',
    number: 'Number',
    company: 'Company',
    address: 'Address',
    pincode: 'Pincode',
    planId: 'Voice plan',
    userType: 'User type',
    accountType: 'Account type',
    recordingDays: 'Days that recordings are kept',
    channels: 'Channels',
    expiryDate: 'Expiry date',
    expiryHint: 'The whole day counts, in Nepal time.',
    neverHint: 'Leave empty if it never expires.',
    neverExpires: 'Never expires',
    logo: 'Logo',
    logoHint: 'PNG, JPEG, WebP or GIF, at most 1 MB.',
    domain: 'Domain',
    domainHint: 'Shows this account’s brand, once the platform has confirmed it.',
    passwordHint: 'Made up for this account. You can type another one.',
    credits: 'Credits (Rs)',
    creditsHint: 'Leave empty for none.',
    clis: 'CLI',
    clisHint: 'The caller ID that its calls show. Leave empty for none.',
    domainEmpty: 'Shows this account’s brand, once the platform has confirmed it. Leave empty for no domain.',
  },
  sections: { signIn: 'Sign-in', company: 'Company', service: 'Service' },
  newPhrase: 'Another pass-phrase',
  opening: { label: 'How the owner gets in', phrase: 'Pass-phrase', invite: 'Invitation by mail' },
  inviteHint: 'A link goes to the e-mail address below. Whoever opens it chooses the password.',
  freeCredits: (rupees: string) => `You have Rs ${rupees}. Leave empty for none.`,
  columns: {
    username: 'Username',
    name: 'Name',
    company: 'Company',
    type: 'Type',
    credits: 'Credits(Rs)',
    plan: 'Plan',
    parent: 'Parent',
    expiry: 'Expiry Date',
    channels: 'Channels',
    action: 'Action',
  },
  recordingDaysHint: (most: string) => `At most ${most}; older ones are deleted within the hour.`,
  recordingDaysQuestion: (username: string, days: string) =>
    `Delete all recordings of ${username} that are older than ${days} ${days === '1' ? 'day' : 'days'}? They are deleted within the hour and cannot be restored.`,
  updateFailed: 'The user could not be changed.',
  userTypes: { reseller: 'Reseller', user: 'User' },
  noPlan: 'No Plan',
  noPlanToGive: 'You have no voice plan to give: add one, or enable one, first.',
  plans: 'Voice Plans',
  never: 'Never',
  reserved: (rupees: string) => `Rs ${rupees} reserved`,
  mail: {
    unconfirmed: 'E-mail address not confirmed',
    waiting: 'E-mail address not confirmed: the link waits until tomorrow, today’s are used up',
  },
  disabled: (reason: string) => `Disabled: ${reason}`,
  /** By an account above, not by itself. */
  stoppedBy: (username: string) => `Disabled by an account above: ${username}`,
  freezing: {
    title: (username: string) => `Freeze ${username}?`,
    meaning:
      'Everybody is logged out. Nothing is called, sent or transferred, and nothing is changed, until the freeze is lifted. Nothing is deleted.',
    reach: {
      accounts: 'Accounts below',
      sessions: 'Open sign-ins',
      campaigns: 'Campaigns',
      calls: 'Calls in progress',
      messages: 'Messages under way',
    },
    calls: {
      label: 'Calls in progress',
      end: 'End now',
      finish: 'Let them finish',
      endHint: 'They are hung up within two seconds, and charged until then.',
      finishHint: 'They go on for as long as money is reserved for them.',
    },
    reason: 'Reason',
    reasonHint: 'The accounts above read it, and the account itself once the freeze is lifted.',
    reasonMissing: 'A reason is required.',
    typed: (username: string) => `Type ${username} to confirm`,
    notTyped: (username: string) => `This must be ${username}.`,
    cancel: 'Cancel',
    submit: 'Freeze',
    done: (username: string) => `${username} is frozen.`,
    failed: 'The account was not frozen.',
    lift: 'Lift the freeze',
    lifts: {
      accounts: (accounts: number, count: (n: number) => string) =>
        accounts === 0
          ? 'It may sign in again.'
          : `It and ${count(accounts)} ${accounts === 1 ? 'account' : 'accounts'} below it may sign in again.`,
      campaigns: (campaigns: number, count: (n: number) => string) =>
        campaigns === 0
          ? 'No campaign is waiting for this.'
          : `${count(campaigns)} ${campaigns === 1 ? 'campaign goes' : 'campaigns go'} on at once.`,
      password: 'If its password may be known, set another one first.',
    },
    lifted: (username: string) => `The freeze of ${username} is lifted.`,
    liftFailed: 'The freeze was not lifted.',
  },
  frozen: {
    mark: (reason: string) => `Frozen: ${reason}`,
    /** By an account above, not by itself. */
    with: (username: string) => `Frozen with ${username}`,
    title: (username: string) => `${username} is frozen`,
    since: (reason: string, since: string) => `${reason} (since ${since})`,
    byOwner: (since: string) =>
      `Its owner said 'It was not me' (${since}). A new password by the mailed link lifts it, and so can you.`,
    byPlatform: 'Frozen by the platform',
    nothingMoves: 'Frozen: nothing moves until it is lifted',
    /** A campaign, in place of the button that pauses it. */
    held: 'Held by a freeze',
    /** Over everything of a campaign. */
    barTitle: 'Frozen',
    bar: {
      calls: (username: string) => `${username} is frozen: nothing is called until the freeze is lifted.`,
      messages: (username: string) => `${username} is frozen: nothing is sent until the freeze is lifted.`,
    },
    why: (username: string, who: string) => `${username} is frozen. ${who}`,
    lifters: {
      you: 'You can lift it.',
      platform: 'Only a super admin can lift it.',
      above: 'Only the account above that froze it can lift it.',
    },
  },
  expired: 'Expired',
  actions: {
    addRecharge: 'Add Recharge',
    removeRecharge: 'Remove Recharge',
    edit: 'Edit User',
    channels: 'Change Channels',
    resetPassword: 'Reset Password',
    removeFactors: 'Remove second factor',
    cliList: 'CLI List',
    allocateCli: 'Allocate CLI',
    disable: 'Disable',
    enable: 'Enable',
    freeze: 'Freeze',
    lift: 'Lift the freeze',
    delete: 'Delete User',
  },
  notChild: (parent: string) => `Belongs to ${parent}`,
  /** Asked when a super admin acts on an account below a reseller. */
  between: (username: string, parent: string) => `${username} belongs to ${parent}, which will be notified. Continue?`,
  byPlatform: 'Disabled by the platform',
  factors: {
    question:
      'Remove it only if you are sure that it is the owner who has lost it: the password alone then opens the account.',
    failed: 'The second factor was not removed.',
    done: 'The second factor was removed.',
    none: 'The account has no second factor.',
  },
  disableQuestion: 'Are you sure you want to disable this user?',
  disableStops: {
    accounts: (accounts: number, count: (n: number) => string) =>
      accounts === 0
        ? 'It is signed out at once.'
        : `It and ${count(accounts)} ${accounts === 1 ? 'account' : 'accounts'} below it are signed out at once.`,
    campaigns: (campaigns: number, count: (n: number) => string) =>
      campaigns === 0
        ? 'No campaign is put on hold.'
        : `${count(campaigns)} ${campaigns === 1 ? 'campaign is' : 'campaigns are'} put on hold; calls in progress continue until they end.`,
    reason: 'The account reads the reason at its next sign-in.',
  },
  disableFailed: 'Error in Disabling User, please try again',
  enableQuestion: 'Are you sure you want to enable this user?',
  enableStarts: {
    accounts: (accounts: number, count: (n: number) => string) =>
      accounts === 0
        ? 'It may sign in again.'
        : `It and ${count(accounts)} ${accounts === 1 ? 'account' : 'accounts'} below it may sign in again.`,
    campaigns: (campaigns: number, count: (n: number) => string) =>
      campaigns === 0
        ? 'No campaign is waiting for this.'
        : `${count(campaigns)} ${campaigns === 1 ? 'campaign that was' : 'campaigns that were'} held with it ${campaigns === 1 ? 'goes' : 'go'} on at once.`,
  },
  staysStopped: (username: string) => `It stays stopped as long as ${username}, an account above it, is disabled.`,
  enableFailed: 'Error in Enabling User, please try again',
  deleteQuestion: 'Are you sure you want to delete this user?',
  deleteDetails: (rupees: string, parent: string) => `Its balance of Rs ${rupees} goes back to ${parent}.`,
  channels: {
    meaning: 'How many calls it may have at the same time.',
    /** Joined by spaces. */
    now: (count: string) => `Now: ${count}.`,
    held: (count: string) => `Held by the accounts below it: ${count}.`,
    free: (free: string, own: string, giver: string | null) =>
      `Free: ${free} of ${giver ? `${giver}’s` : 'your'} ${own}.`,
    most: (count: string) => `The most that you can give is ${count}.`,
    least: (count: string) => `The accounts below it hold ${count}: it needs at least as many.`,
    none: 'None of your channels is free. Lower those of another account first.',
    take: (count: string) => `Give ${count}`,
    title: (username: string) => `Channels of ${username}`,
    hint: 'How many calls it may have at the same time. Channels taken from one account become free for your others.',
    submit: 'Change Channels',
    changed: (username: string, count: string) =>
      `${username} now has ${count === '1' ? '1 channel' : `${count} channels`}.`,
  },
  superAdmins: {
    title: 'Super Admins',
    subtitle: 'Who runs the platform. A new one is created on the server.',
    sessions: 'Open Sessions',
    created: 'Created',
    you: 'You',
    own: 'Another super admin must do this',
    disabledBy: (by: string, reason: string) => `Disabled by ${by}: ${reason}`,
    disabledByOperator: (reason: string) => `Disabled on the server: ${reason}`,
    disableDetails: 'This super admin is signed out at once. Nothing else stops: accounts and campaigns continue.',
    enableDetails: 'This super admin may sign in again.',
  },
  reset: {
    title: (username: string) => `Reset the password of ${username}`,
    hint: 'Whoever is signed in to the account is signed out. Tell the owner the new password yourself.',
    password: 'Password',
    confirm: 'Confirm Password',
    submit: 'Reset Password',
    cancel: 'Cancel',
  },
}
