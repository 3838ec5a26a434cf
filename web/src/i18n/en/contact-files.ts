export const texts = {
  title: 'Contact Files',
  subtitle: 'Files that nobody uses go by themselves; each says when. Making a campaign of one keeps it.',
  columns: {
    name: 'Name',
    rows: 'Rows',
    dialable: 'Can be called',
    size: 'Size',
    uploaded: 'Uploaded',
    keptUntil: 'Kept until',
    action: 'Action',
  },
  megabytes: (count: string) => `${count} MB`,
  needed: 'needed by a campaign',
  soon: 'goes soon',
  empty: 'No contact file is stored.',
  compose: 'Compose a campaign',
  actions: { rename: 'Rename', delete: 'Delete' },
  deleteManyQuestion: (count: string) =>
    `Delete these ${count} contact files? Rows that campaigns made of them stay; the lists of refused lines go.`,
  deleteQuestion:
    'Do you want to delete this contact file? Campaigns keep the rows that they made of it; the list of lines that it refused goes.',
  deleteFailed: 'The contact file was not deleted',
  renameTitle: (name: string) => `Rename ${name}`,
  renamed: (name: string) => `The file is called ${name} now.`,
  save: 'Rename',
  cancel: 'Cancel',
  fields: { baseName: 'Name', baseId: 'The contact file' },
}
