export const texts = {
  delete: {
    title: (name: string) => `Delete “${name}”`,
    question: 'This cannot be undone.',
    gone: 'Deleted for good: the numbers that were called or written to, their columns, the keys they pressed, agents’ numbers, recordings, texts, reports and exports of this campaign, and its test calls.',
    kept: 'Kept: what was paid and when, how many calls or messages there were and how they ended.',
    file: 'A contact file that you stored stays among your contact files until you delete it there.',
    name: 'Type the name of the campaign',
    differs: 'This is not its name.',
    submit: 'Delete for good',
    cancel: 'Cancel',
    done: (name: string) => `“${name}” is deleted; its last numbers are removed within minutes.`,
  },
  done: {
    archived: (name: string) => `“${name}” is archived: the filter “Archived” shows it.`,
    broughtBack: (name: string) => `“${name}” is in the list again.`,
  },
  fields: { campaignId: 'The campaign', campaignName: 'The name' },
}
