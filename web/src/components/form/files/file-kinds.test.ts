import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { expect, test } from 'vitest'
import { fileProblem } from './file-problem.ts'

const contacts = '.csv,.txt,.xlsx,text/csv,text/plain'
const lines = '.csv,.txt,text/csv,text/plain'
const logo = '.png,image/png'

test.each([
  {
    name: 'a.xls',
    accept: contacts,
    said: 'An old Excel file (.xls) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    name: 'a.xlsb',
    accept: contacts,
    said: 'A binary Excel file (.xlsb) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    name: 'a.ods',
    accept: contacts,
    said: 'An OpenDocument spreadsheet (.ods) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    name: 'a.numbers',
    accept: contacts,
    said: 'An Apple Numbers file (.numbers) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    name: 'a.xlsx',
    accept: lines,
    said: 'An Excel file is not a supported format. Save it as CSV and choose that file',
  },
  { name: 'a.docx', accept: lines, said: 'A Word file is not a supported format. Choose a CSV or text file' },
  { name: 'a.pdf', accept: contacts, said: 'A PDF is not a supported format. Choose an Excel, CSV or text file' },
  { name: 'a.zip', accept: lines, said: 'A zip file is not a supported format. Unpack it and choose the file inside' },
  {
    name: 'a.mp3',
    accept: '.wav,audio/wav',
    said: 'A sound of this kind is not a supported format. Choose a wav file',
  },
  {
    name: 'a.mov',
    accept: 'audio/*',
    said: 'A video is not a supported format. Choose a sound file, such as mp3, m4a or wav',
  },
  {
    name: 'a.txt',
    accept: logo,
    said: 'A text file is not a supported format. Choose a picture: PNG, JPEG, WebP or GIF',
  },
  {
    name: 'a.svg',
    accept: logo,
    said: 'An SVG is not a supported format. Choose a picture: PNG, JPEG, WebP or GIF',
  },
  { name: 'a.heic', accept: '.dat', said: 'A picture is not a supported format' },
])('$name is called what people call it, with what to do, in both languages', ({ name, accept, said }) => {
  expect(fileProblem({ name, type: '', size: 1 }, accept, 10)).toBe(said)
  const foreign = nepaliOf(said).match(/[a-z]\w*/gi) ?? []
  expect(
    foreign.filter((word) => !/^(CSV|PDF|SVG|PNG|JPEG|WebP|GIF|mp3|m4a|wav|WAV|xls|xlsx|xlsb|ods|numbers)$/.test(word)),
  ).toEqual([])
})
