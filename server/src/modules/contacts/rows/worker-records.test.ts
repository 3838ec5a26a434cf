import { parse } from 'csv-parse/sync'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecordReader, Unreadable } from './worker-records.ts'

type Read = { cells: string[]; line: number }
function recordsOf(pieces: readonly string[], separator = ','): Read[] | string {
  const records: Read[] = []
  const reader = new RecordReader((cells, line) => void records.push({ line, cells: [...cells] }), separator)
  try {
    for (const piece of pieces) reader.write(piece)
    reader.end()
  } catch (error) {
    if (!(error instanceof Unreadable) || error.end.kind !== 'broken') throw error
    return error.end.why
  }
  return records
}
const cellsOf = (pieces: readonly string[]) => {
  const read = recordsOf(pieces)
  return typeof read === 'string' ? read : read.map(({ cells }) => cells)
}

const asLibrary = (text: string): string[][] | null => {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
    })
  } catch {
    return null
  }
}

test('records are split as csv-parse splits them, wherever the pieces of the text end', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'ख', '1', '"', '"', ',', '\n', '\r', '\r\n', ' ') })
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const read = cellsOf(pieces)
      expect(typeof read === 'string' ? null : read).toEqual(asLibrary(pieces.join('')))
    }),
    { numRuns: 3000 },
  )
})

describe('a record', () => {
  test('of more than 10,000 cells is refused in its line', () => {
    expect(recordsOf(['a\nb\n', `9841000001${','.repeat(9999)}`])).toHaveLength(3)
    expect(recordsOf(['a\nb\n', `9841000001${','.repeat(20_000)}\n`])).toBe('has more than 10,000 cells in line 3')
  })

  test('of more than a million letters is refused in its line, in one cell or in many, in quotes or not', () => {
    const long = 'x'.repeat(99_000)
    const eleven: string[] = Array(11).fill(long)
    const tooLong = 'has more than 1,000,000 letters in line 2'
    const notClosed = 'has a quote in line 2 that is never closed'
    expect(recordsOf(['a\n', ...eleven])).toBe(tooLong)
    expect(recordsOf(['a\n', ...eleven.map((cell) => `${cell},`)])).toBe(tooLong)
    expect(recordsOf(['a\n"', ...eleven])).toBe(notClosed)
    expect(recordsOf(['a\n"', ...eleven, '"\n'])).toBe(notClosed)
    expect(recordsOf(['a\n"', ...Array(11).fill('""'.repeat(99_000))])).toMatch(/^has .* in line 2/)
    expect(recordsOf(['a\n', ...eleven.map((cell) => `${cell}\n`)])).toHaveLength(12)
  })

  test('of more numbers than a row has columns is a list: each of them is a record and a line', () => {
    const numbers = Array.from({ length: 150_000 }, (_, n) => String(9_841_000_000 + n))
    const read = recordsOf(['mobile\n', `${numbers.join(',')}\n`, '9851000000\n'])
    expect(read).toHaveLength(150_002)
    expect(read.slice(0, 3)).toEqual([
      { line: 1, cells: ['mobile'] },
      { line: 2, cells: ['9841000000'] },
      { line: 3, cells: ['9841000001'] },
    ])
    expect(read.at(-1)).toEqual({ line: 150_002, cells: ['9851000000'] })
  })

  test('of a hundred numbers below the names of columns is a row', () => {
    const numbers: string[] = Array(100).fill('9841000000')
    expect(cellsOf(['mobile,second\n', numbers.join(',')])).toEqual([['mobile', 'second'], numbers])
  })

  test.each<[string, string, string[][]]>([
    ['alone in its file', '9841000055,9841000056,9841000057', [['9841000055'], ['9841000056'], ['9841000057']]],
    ['with blanks', '9841000055, ,9841000056,\n', [['9841000055'], ['9841000056']]],
    ['after a blank line', ',\n9841000055,9841000056', [['', ''], ['9841000055'], ['9841000056']]],
    ['after lines of one', '9841000055\n9841000056,9841000057', [['9841000055'], ['9841000056'], ['9841000057']]],
    [
      'with one that lacks a digit',
      '9841000055,9841000056,984100005,9841000058',
      [['9841000055'], ['9841000056'], ['984100005'], ['9841000058']],
    ],
    [
      'in several lines',
      '9841000055,9841000056,9841000057\n9841000058,9841000059',
      [5, 6, 7, 8, 9].map((n) => [`984100005${n}`]),
    ],
    ['of landlines', '015970001,="015970002"', [['015970001'], ['015970002']]],
    ['with a dash for none', '9841000055,-,9841000056', [['9841000055'], ['9841000056']]],
    [
      'with blanks alone between',
      '9841000055 9841000056  9841000057 ',
      [['9841000055'], ['9841000056'], ['9841000057']],
    ],
  ])('of nothing but numbers, %s, is a list where no columns are named', (_, text, records) => {
    expect(cellsOf([text])).toEqual(records)
    expect(cellsOf(text.split(/(?<=.)/s))).toEqual(records)
  })

  test.each([
    ['with a name', [['9841000055', 'Sita', '9841000056']]],
    ['with a number that cannot be called', [['9841000055', '984100005']]],
    ['of a mobile and nine digits behind a 0', [['9841000055', '012345678']]],
    [
      'of a customer and somebody beside, as those below,',
      [
        ['9841000055', '9851000000'],
        ['9841000056', '9851000001'],
      ],
    ],
    [
      'of three numbers below one with a value',
      [
        ['9841000055', 'Sita'],
        ['9841000056', '9841000057', '9841000058'],
      ],
    ],
    [
      'of two numbers below one with an empty column',
      [
        ['9841000055', ''],
        ['9841000056', '9841000057'],
      ],
    ],
    ['of one number', [['9841000055', '']]],
    [
      'below a name',
      [
        ['Sita', '9841000055'],
        ['9841000056', '9841000057'],
      ],
    ],
  ])('%s is a row', (_, records) => {
    expect(cellsOf([records.map((cells) => cells.join(',')).join('\n')])).toEqual(records)
  })
})
