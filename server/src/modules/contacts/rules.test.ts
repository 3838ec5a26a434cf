import { describe, expect, test } from 'vitest'
import { columnsOfTemplate, ContactValidator, missingColumns, rowText, type TemplateColumn } from './rules.ts'

const amountAndDate: readonly TemplateColumn[] = [
  { name: 'amount', refuse: (value) => (/^\d+$/.test(value) ? null : 'is not an amount') },
  { name: 'date', refuse: (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? null : 'is not a date') },
]

function validated(lines: readonly string[], required: readonly TemplateColumn[] = []) {
  const validator = new ContactValidator(required, ',')
  const rows = lines.map((line, at) => validator.validate(line.split(','), at + 1)).filter((row) => row !== null)
  return {
    ...validator.totals(),
    accepted: rows.flatMap((row) => ('phone' in row ? [row] : [])),
    refused: rows.flatMap((row) => ('reason' in row ? [row] : [])),
  }
}

test.each([
  { why: 'as it stood', cells: ['9841000001', '5'], text: '9841000001,5' },
  { why: 'with one cell where the separator is in it', cells: ['98', '1,000'], text: '98,"1,000"' },
  { why: 'with doubled quotes', cells: ['Ram "K"', 'a\nb'], text: '"Ram ""K""","a\nb"' },
  { why: 'shortened', cells: ['9'.repeat(600)], text: '9'.repeat(500) },
])('a refused row is shown $why', ({ cells, text }) => {
  expect(rowText(cells, ',')).toBe(text)
})

describe('a column whose letters are lost is named', () => {
  test.each([
    ['question marks', '????'],
    ['the sign for letters that were not read', 'स\ufffd\ufffdता'],
    ['Nepali that was read as Western letters', Buffer.from('सीता').toString('latin1')],
    ['the same by Windows', 'à¤¸à¥€à¤¤à¤¾'],
  ])('%s', (_, name) => {
    const { lostLetters } = validated(['mobile,name,city', `9841000001,${name},Pokhara`, '9841000002,Ram,à la carte'])
    expect(lostLetters).toEqual(['name'])
  })
})

describe('the first row is a header', () => {
  test.each([
    { why: 'when it names the number', header: 'mobile', columns: ['mobile'] },
    { why: 'in any case and with signs', header: 'Mobile No.', columns: ['mobile'] },
    { why: 'in Nepali', header: 'मोबाइल नम्बर,नाम', columns: ['mobile', 'नाम'] },
    { why: 'with an explanation', header: 'Mobile Number (10 digits),Name', columns: ['mobile', 'Name'] },
    { why: 'with digits in other names', header: 'mobile,date1,date2', columns: ['mobile', 'date1', 'date2'] },
    { why: 'when it has no digit', header: 'Customer,Place', columns: ['mobile', 'Place'] },
    { why: 'with blank names', header: 'mobile,,Place', columns: ['mobile', 'column2', 'Place'] },
    { why: 'with the same name twice', header: 'mobile,Name,name', columns: ['mobile', 'Name', 'name 2'] },
    { why: 'with two columns of numbers: the surer one', header: 'Phone,Mobile', columns: ['mobile', 'Phone'], at: 1 },
    { why: 'with a name that the number has already', header: 'Mobile No,Mobile', columns: ['mobile', 'Mobile 2'] },
  ])('$why', ({ header, columns, at = 0 }) => {
    const row = at === 0 ? '9841234567,x,y' : 'x,9841234567'
    const file = validated([header, row])
    expect(file).toMatchObject({ rows: 1, accepted: [{ line: 2, phone: 9779841234567 }] })
    expect(file.columns.slice(0, columns.length)).toEqual(columns)
  })

  test.each([
    { why: 'when it holds a number to call', first: '9841234567,Mobile' },
    { why: 'when it holds a landline', first: '01-5970001,mobile' },
    { why: 'when it has a number that cannot be called', first: '123,Ram' },
    { why: 'when it has Devanagari digits', first: '१२३,राम' },
    { why: 'when the number is blank', first: ',Ram' },
  ])('but not $why', ({ first }) => {
    expect(validated([first])).toMatchObject({ rows: 1, columns: ['mobile', 'column2'] })
  })

  test('and the column of the number is found by its name', () => {
    const file = validated(['S.N.,Name,Mobile Number,City', '1,Sita,9841234567,Pokhara'])
    expect(file.columns).toEqual(['mobile', 'S.N.', 'Name', 'City'])
    expect(file.accepted).toEqual([
      { line: 2, phone: 9779841234567, turn: 0, values: { 'S.N.': '1', Name: 'Sita', City: 'Pokhara' } },
    ])
  })
})

test('without a header the first column is the number and the others are named by position', () => {
  const file = validated(['9841234567,Sita,', '9841234568,Ram,Pokhara,extra'])
  expect(file.columns).toEqual(['mobile', 'column2', 'column3', 'column4'])
  expect(file.accepted[1]?.values).toEqual({ column2: 'Ram', column3: 'Pokhara', column4: 'extra' })
})

test('blank lines are no rows', () => {
  expect(validated(['', 'mobile,name', ' , ', '9841234567,Sita', ',,', ''])).toMatchObject({
    rows: 1,
    accepted: [{ line: 4 }],
    invalid: 0,
  })
})

test('a value under a name that objects have anyway is kept', () => {
  const [row] = validated(['mobile,__proto__,constructor', '9841234567,a,b']).accepted
  expect(JSON.stringify(row?.values)).toBe('{"__proto__":"a","constructor":"b"}')
})

test.each(['__proto__', 'constructor', 'valueOf', 'toString', 'hasOwnProperty'])(
  'a spoken column called %s that a row leaves blank is missing in it',
  (name) => {
    const { accepted, refused } = validated(
      [`mobile,${name}`, '9841234567,a', '9841234568,'],
      [{ name, refuse: () => null }],
    )
    expect(accepted.map(({ spoken }) => spoken)).toEqual([['a']])
    expect(refused.map(({ reason }) => reason)).toEqual([`${name} is missing`])
  },
)

describe('refused', () => {
  test.each([
    { row: ',Sita', reason: 'the number is empty', number: '' },
    { row: 'abc,Sita', reason: 'the number has letters', number: 'abc' },
    { row: '9.84E+09,Sita', reason: /^the number was cut by a spreadsheet/, number: '9.84E+09' },
    { row: '+919841234567,Sita', reason: 'the number is not Nepali', number: '+919841234567' },
    { row: `9841234567,${'x'.repeat(10_001)}`, reason: 'name is longer than 10,000 characters' },
    { row: `9841234567${',x'.repeat(100)}`, reason: 'the row has more than 100 columns' },
  ])('$reason', ({ row, reason, number }) => {
    const file = validated(['mobile,name', row])
    expect(file).toMatchObject({ rows: 1, invalid: 1, duplicate: 0, accepted: [] })
    expect(file.refused).toEqual([
      { line: 2, text: row.slice(0, 500), reason: expect.stringMatching(reason), ofFile: true, number },
    ])
  })
})

test('a cut text never ends in half a character, which the database would refuse', () => {
  const name = `${'n'.repeat(99)}\u{1f600}`
  const file = validated([`mobile,${name}`, '9841234567,x', `abc${'x'.repeat(496)}\u{1f600}`])
  expect(file.columns[1]?.isWellFormed()).toBe(true)
  expect(Object.keys(file.accepted[0]?.values ?? {})).toEqual([file.columns[1]])
  expect(file.refused[0]?.text.isWellFormed()).toBe(true)
})

test('one row a number where no column is spoken, however it is written', () => {
  const file = validated(['mobile,name', '9841234567,Sita', '9841234568,Hari', '+977-9841234567,Ram'])
  expect(file).toMatchObject({ rows: 3, dialable: 3, invalid: 0, duplicate: 1 })
  const reason = 'the same number as in line 2'
  expect(file.refused).toEqual([{ line: 4, text: '+977-9841234567,Ram', reason, ofFile: false }])
})

describe('with spoken columns', () => {
  test('the same number with other values stays, in turn; an equal row is a duplicate', () => {
    const file = validated(
      [
        'mobile,amount,date',
        '9841234567,100,2026-11-20',
        '9841234567,200,2026-11-20',
        '9841234568,100,2026-11-20',
        '09841234567,100,2026-11-20',
        '9841234567,300,2026-11-21',
      ],
      amountAndDate,
    )
    expect(file.accepted.map(({ line, turn }) => [line, turn])).toEqual([
      [2, 0],
      [3, 1],
      [4, 0],
      [6, 2],
    ])
    expect(file.refused).toMatchObject([{ line: 5, reason: 'the same row as in line 2' }])
    expect(file).toMatchObject({ rows: 5, dialable: 5, invalid: 0, duplicate: 1 })
  })

  test('a missing or unreadable value refuses the row with its name', () => {
    const file = validated(
      ['mobile,amount,date', '9841234567,,2026-11-20', '9841234567,x,2026-11-20', '9841234567,1', '123,x,y'],
      amountAndDate,
    )
    expect(file.refused.map((row) => row.reason)).toEqual([
      'amount is missing',
      'amount is not an amount',
      'date is missing',
      'the number is too short',
    ])
    expect(file).toMatchObject({ rows: 4, dialable: 3, invalid: 4, refusedOfFile: 1, accepted: [] })
    expect(file.refused.map((row) => row.ofFile)).toEqual([false, false, false, true])
  })

  test.each([
    { why: 'by name, in any order', lines: ['Date,name,Mobile,AMOUNT', '2026-11-20,Sita,9841234567,100'] },
    { why: 'by position without a header', lines: ['9841234567,100,2026-11-20'] },
    { why: 'by position under blank names', lines: ['mobile,,', '9841234567,100,2026-11-20'] },
  ])('values are found $why', ({ lines }) => {
    expect(validated(lines, amountAndDate)).toMatchObject({ rows: 1, accepted: [{ phone: 9779841234567 }], invalid: 0 })
  })

  test.each([
    { columns: ['mobile', 'amount', 'date'], missing: [] },
    { columns: ['mobile', 'Date', 'x', 'Amount'], missing: [] },
    { columns: ['mobile', 'column2', 'column3'], missing: [] },
    { columns: ['mobile', 'column2'], missing: ['date'] },
    { columns: ['mobile', 'price', 'date'], missing: ['amount'] },
    { columns: ['mobile'], missing: ['amount', 'date'] },
  ])('a file of $columns lacks $missing', ({ columns, missing }) => {
    expect(missingColumns(columns, amountAndDate)).toEqual(missing)
  })
})

test('templates 0, 1, 2 and 8 need the number alone', () => {
  expect([0, 1, 2, 8].map((id) => columnsOfTemplate(id))).toEqual([[], [], [], []])
})

test.each([
  { id: 3, row: '9851012345,31/02/2027,A12', why: 'date is not a day of the calendar' },
  { id: 3, row: `9851012345,2027-02-01,${'A1'.repeat(100)}`, why: 'token has more than 20 digits and letters' },
  { id: 3, row: '9851012345,2027-02-01', why: 'token is missing' },
  { id: 5, row: '9851012345,2027-02-01,tomorrow,2027-02-03', why: 'date2 is not a date: write yyyy-MM-dd' },
  { id: 6, row: '9851012345,twelve,2027-02-01', why: 'amount is not an amount: write it like 1234567.50' },
  { id: 6, row: '9851012345,"1.250,00",2027-02-01', why: 'amount has commas where no amount has them' },
  { id: 7, row: '9851012345,Call 9841000001,Tyre,400,1', why: 'client_name has more than 4 digits' },
])('template $id refuses $row in words', ({ id, row, why }) => {
  const header = ['mobile', ...columnsOfTemplate(id).map(({ name }) => name)]
  const validator = new ContactValidator(columnsOfTemplate(id), ',')
  validator.validate(header, 1)
  const cells = row.match(/"[^"]*"|[^,]+/g)?.map((cell) => cell.replaceAll('"', '')) ?? []
  expect(validator.validate(cells, 2)).toMatchObject({ line: 2, reason: expect.stringContaining(why) })
})

test.each([
  { column: 'client_name', values: ['t.me', 'Play at t.me', 'win dot com', 'क.भारत'], passes: false },
  {
    column: 'client_name',
    values: ["t.'me", "t'.me", 'win-dot-com', 'win (dot) com'],
    passes: false,
  },
  { column: 'client_name', values: ['t.me/x', 'win./com', 'win.-com', 'win/dot/com'], passes: false },
  {
    column: 'client_name',
    values: ['Hari/Sita', 'Sharma & Sons', "D'Souza", 'Ram (Baneshwor)', 'Shop 24'],
    passes: true,
  },
  { column: 'client_name', values: ['K.B.Thapa', 'Md.Ali', 'सीता शर्मा', 'Sita K.C.', 'K. Dev'], passes: true },
  { column: 'service_name', values: ['9x.com', '1x.bet', '4G.ai'], passes: false },
  { column: 'service_name', values: ['Tyre 16', '4G', 'Internet 2.5', 'बिजुली'], passes: true },
])('a $column of $values is spoken: $passes', ({ column, values, passes }) => {
  const spoken = columnsOfTemplate(7).find(({ name }) => name === column)
  const reason = passes ? null : 'could be an address'
  expect(values.map((value) => [value, spoken?.refuse(value)])).toEqual(values.map((value) => [value, reason]))
})
