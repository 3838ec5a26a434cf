export const texts = {
  title: (name: string) => `Change “${name}”`,
  kept: {
    calls:
      'Contacts, template, voice files and prices stay as they were composed. To change those, stop the campaign and duplicate it.',
    messages:
      'Contacts, text, sender ID and price stay as they were composed. To change those, stop the campaign and duplicate it.',
  },
  save: 'Save',
  cancel: 'Cancel',
  done: (name: string, time: string) => `“${name}” was changed. It starts at ${time}.`,
  fields: {
    campaignId: 'The campaign',
    cli: 'Sender ID (CLI)',
    welcomePId: 'Welcome file',
    menuPId: 'Menu file',
    noInputPId: 'No-input file',
    wrongInputPId: 'Wrong-input file',
    thanksPId: 'Thanks file',
    prompts: 'Voice files',
    smsText: 'SMS text',
    notAfter: 'The end',
  },
}
