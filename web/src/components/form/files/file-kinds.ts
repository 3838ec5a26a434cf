/** Names of files that a form does not take, by extension and by the beginning of the media type. */
const kinds: readonly { name: string; endings: readonly string[]; types: readonly string[] }[] = [
  {
    name: 'An Excel file',
    endings: ['.xlsx', '.xlsm'],
    types: ['application/vnd.openxmlformats-officedocument.spreadsheetml'],
  },
  {
    name: 'A binary Excel file (.xlsb)',
    endings: ['.xlsb'],
    types: ['application/vnd.ms-excel.sheet.binary'],
  },
  { name: 'An old Excel file (.xls)', endings: ['.xls'], types: ['application/vnd.ms-excel'] },
  {
    name: 'An OpenDocument spreadsheet (.ods)',
    endings: ['.ods'],
    types: ['application/vnd.oasis.opendocument.spreadsheet'],
  },
  {
    name: 'An Apple Numbers file (.numbers)',
    endings: ['.numbers'],
    types: ['application/vnd.apple.numbers', 'application/x-iwork-numbers'],
  },
  {
    name: 'A Word file',
    endings: ['.doc', '.docx', '.odt', '.rtf'],
    types: ['application/msword', 'application/vnd.openxmlformats-officedocument.wordprocessingml'],
  },
  { name: 'A PDF', endings: ['.pdf'], types: ['application/pdf'] },
  { name: 'A zip file', endings: ['.zip', '.rar', '.7z'], types: ['application/zip', 'application/x-zip'] },
  { name: 'An SVG', endings: ['.svg', '.svgz'], types: ['image/svg'] },
  { name: 'A picture', endings: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.heic'], types: ['image/'] },
  { name: 'A video', endings: ['.mov', '.avi', '.mkv'], types: ['video/'] },
  { name: 'A sound of this kind', endings: ['.mp3', '.m4a', '.wav', '.ogg', '.flac'], types: ['audio/'] },
  { name: 'A text file', endings: ['.txt', '.csv'], types: ['text/'] },
]

/** 'An Excel file'; null when people have no name for it. */
export function kindOf(type: string, ending: string): string | null {
  const found =
    kinds.find(({ endings }) => endings.includes(ending)) ??
    kinds.find(({ types }) => type !== '' && types.some((start) => type.startsWith(start)))
  return found?.name ?? null
}

const instead = {
  spreadsheet: 'Save it as CSV and choose that file',
  workbook: 'Save it as an Excel file (.xlsx) and choose that file',
  zip: 'Unpack it and choose the file inside',
  contacts: 'Choose an Excel, CSV or text file',
  text: 'Choose a CSV or text file',
  sound: 'Choose a sound file, such as mp3, m4a or wav',
  wav: 'Choose a wav file',
  picture: 'Choose a picture: PNG, JPEG, WebP or GIF',
} as const

/** What to do instead, by what the field accepts; null when its help says so. */
export function insteadOf(kind: string | null, accept: string): string | null {
  const takes = (one: string) => accept.split(',').includes(one)
  if (takes('text/csv')) {
    if (kind !== null && /Excel|spreadsheet|Numbers/.test(kind))
      return takes('.xlsx') ? instead.workbook : instead.spreadsheet
    if (kind === 'A zip file') return instead.zip
    return takes('.xlsx') ? instead.contacts : instead.text
  }
  if (takes('audio/*')) return instead.sound
  if (takes('.wav')) return instead.wav
  return takes('image/png') ? instead.picture : null
}
