import { expect, test } from 'vitest'
import { nameOfFile } from '../../../components/form/files/named-after-file.ts'
import { contactFileProblem } from './contact-file.ts'

test.each([
  { why: 'a CSV as Windows calls it', file: { name: 'a.CSV', type: 'application/vnd.ms-excel', size: 10 }, text: null },
  { why: 'an Excel file', file: { name: 'a.xlsx', type: '', size: 10 }, text: null },
  { why: 'contacts of a telephone', file: { name: 'a.vcf', type: 'text/x-vcard', size: 10 }, text: null },
  { why: 'a text', file: { name: 'a.txt', type: 'text/plain', size: 10 }, text: null },
  {
    why: 'an older spreadsheet',
    file: { name: 'a.xls', type: 'application/vnd.ms-excel', size: 10 },
    text: 'An old Excel file (.xls) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    why: 'a spreadsheet without a type',
    file: { name: 'a.numbers', type: '', size: 10 },
    text: 'An Apple Numbers file (.numbers) is not a supported format. Save it as an Excel file (.xlsx) and choose that file',
  },
  {
    why: 'a type that has no name among people',
    file: { name: 'a.dat', type: 'application/x-odd', size: 10 },
    text: 'application/x-odd is not a supported format',
  },
  { why: 'no ending', file: { name: 'contacts', type: '', size: 10 }, text: 'contacts is not a supported format' },
  { why: '20 MiB', file: { name: 'a.csv', type: 'text/csv', size: 20 * 1024 * 1024 }, text: null },
  {
    why: 'more than 20 MiB',
    file: { name: 'a.csv', type: 'text/csv', size: 22_334_668 },
    text: '21.3 MB is too large, please pick a smaller file',
  },
])('$why', ({ file, text }) => {
  expect(contactFileProblem(file)).toBe(text)
})

test('a base is named after its file', () => {
  expect(nameOfFile('Members June.v2.csv')).toBe('Members June.v2')
})
