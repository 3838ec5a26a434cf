export const texts = {
  groups: {
    recent: 'Recent',
    screens: 'Screens',
    actions: 'Actions',
    campaigns: 'Campaigns',
    users: 'Users',
    number: 'Number',
  },
  toasts: {
    title: 'Done in this visit',
    none: 'Nothing yet. What you change is told here, and can be undone where that is possible.',
    undo: 'Undo',
    undone: 'Undone.',
  },
  asking: 'Searching…',
  isBlacklisted: (number: string) => `Is ${number} blacklisted?`,
  paths: {
    '/create-dialer': 'Create Dialer',
    '/create-trunk': 'Create Trunk',
    '/upload-cli': 'Upload CLI File',
    '/user-profile': 'Profile',
  },
  keys: {
    title: 'Keys',
    hint: 'They do nothing while you type in a field.',
    enabled: 'Keys of one letter work',
    find: 'Find screens, campaigns, users, actions',
    search: 'Search this list',
    add: 'New: what this list is of',
    undo: 'Undo what was just done',
    show: 'Show these keys',
    // Two keys one after the other: g, then c.
    followedBy: 'then',
    goTo: 'Go to',
  },
}
