import { templateTypes } from './template-types.ts'

const types: Readonly<Record<number, string>> = templateTypes

export const texts = {
  title: 'Set-ups',
  subtitle: 'What you compose often, without contacts. ‘Use’ opens the form with it.',
  types,
  columns: {
    name: 'Set-up',
    template: 'Campaign type',
    cli: 'Caller ID',
    contacts: 'Contact file',
    changed: 'Changed',
    action: 'Action',
  },
  actions: { use: 'Use', rename: 'Rename…', delete: 'Delete' },
  use: (name: string) => `Use “${name}”`,
  deleteQuestion: 'Are you sure you want to delete this set-up? Campaigns that were made from it stay.',
  deleteFailed: 'The set-up was not deleted',
  renameTitle: (name: string) => `Rename “${name}”`,
  renamed: (name: string) => `The set-up is now called “${name}”.`,
  save: {
    title: 'Save as set-up',
    hint: 'Saved without name, time and contacts. Addresses of SMS after the call may contain passwords: they are left out too.',
    withItsContacts: 'With its contact file, if it is stored',
    submit: 'Save',
    cancel: 'Cancel',
    saved: (name: string) => `The set-up “${name}” was saved.`,
  },
  fields: { setupName: 'Name of the set-up', setupId: 'The set-up', campaignId: 'The campaign' },
  opened: (name: string) => `From the set-up “${name}”`,
  openedHint: 'Choose whom to call, and send.',
  openedBare: 'Fill in what is missing, choose whom to call, and send.',
  gone: (names: readonly string[]) => `Gone since it was saved: ${names.join(', ')}.`,
  unread: (reasons: readonly string[]) => `No longer readable: ${reasons.join('; ')}.`,
  goneOnes: {
    voiceFile: (name: string) => `the voice file “${name}”`,
    cli: (cli: string) => `the caller ID ${cli}`,
    contacts: (name: string) => `the contact file “${name}”`,
  },
}
