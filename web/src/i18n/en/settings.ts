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
  },
}
