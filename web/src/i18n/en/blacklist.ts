export const texts = {
  filterLabels: { added: 'Added' },
  title: 'Voice Blacklist',
  subtitle:
    'Numbers that your campaigns never call, besides those that your reseller and the platform have blacklisted. Additions take effect at once, even for running campaigns.',
  subtitlePlatform: 'Numbers that nobody calls. Additions take effect at once, even for running campaigns.',
  subtitleReseller: 'Numbers that no campaign of yours or your users calls. Additions take effect at once.',
  columns: { mobile: 'Mobile', date: 'Date', action: 'Action' },
  check: {
    label: 'Is this number blacklisted?',
    field: 'The number',
    submit: 'Check',
    yes: (mobile: string) => `${mobile} is blacklisted: no campaign of yours calls it.`,
    no: (mobile: string) => `${mobile} is not blacklisted.`,
  },
  searchHint: 'Search for a whole number, its beginning, or at least its last four digits.',
  delete: 'Delete',
  deleted: 'Deleted',
  deleteManyQuestion: (count: string) => `Are you sure you want to delete these ${count} numbers from the blacklist?`,
  deleteQuestion: 'Are you sure you want to delete this number from the blacklist?',
  labels: { blacklistId: 'The number' },
  add: {
    title: 'Add Blacklist Number',
    mobile: 'Mobile number',
    hint: 'A mobile or landline number of Nepal. Your campaigns will not call it any more.',
    submit: 'Add Number',
    done: (mobile: string) => `${mobile} is on the blacklist.`,
  },
  bulk: {
    title: 'Bulk Blacklist Upload',
    link: 'Upload a file',
    file: 'Numbers file',
    hint: (megabytes: string) =>
      `.xlsx, .csv, .txt or .vcf, at most ${megabytes} MB: one number per line, or a column of numbers. About a million numbers fit.`,
    submit: 'Upload File',
    sending: (percent: string) => `Uploading: ${percent} %`,
    storing: 'Storing the numbers. A million takes about half a minute; you may leave this page meanwhile.',
    leave: 'The file is still being sent.',
  },
  result: {
    title: 'The file was uploaded',
    rows: 'Rows in the file',
    numbers: 'Numbers found',
    fromColumn: (column: string) => `of these in “${column}”`,
    accepted: 'Added',
    duplicate: 'Repeated in the file, or already on your list',
    invalid: 'Refused',
    hidden: (rows: number, shown: string) =>
      rows === 1
        ? '1 of the rows is hidden in the sheet. It was read, too.'
        : `${shown} of the rows are hidden in the sheet. They were read, too.`,
    line: (line: string, text: string, reason: string) => `Line ${line}, “${text}”: ${reason}`,
    first: (shown: string) => `Refused lines, the first ${shown}`,
    all: 'Download all refused lines (CSV)',
    firstOf: (kept: string, all: string) => `Download the first ${kept} of ${all} refused lines (CSV)`,
    kept: (days: string) => `They can be downloaded for ${days} days.`,
  },
}
