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
  dialerWait: {
    title: 'Dialers that do not answer',
    note: 'After so many minutes the calls of such a dialer end as lost, each as soon as it must be over by the clock. They are not charged; their channels and money are free again, and only Retry calls them again.',
    field: 'Minutes to wait',
    save: 'Save the wait',
    saved: 'The wait was saved.',
  },
}
