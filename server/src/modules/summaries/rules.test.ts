import { describe, expect, test } from 'vitest'
import { figuresCells, figuresHeader } from './rules-csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { pageNumbers, pageOf, type Summary } from './rules-page.ts'

const english = { language: 'en', calendar: 'ad' } as const
const nepali = { language: 'ne', calendar: 'bs' } as const
const at = new Date('2026-11-24T03:50:00Z')

function summary(over: Partial<Summary['campaign']> = {}, menus: Summary['menus'] = []): Summary {
  const campaign: Summary['campaign'] = {
    campaignId: 812,
    campaignName: 'Dashain',
    username: 'himal',
    templateId: 1,
    campaignStatus: 2,
    scheduleTime: '2026-11-20 10:15:00',
    numbersUploaded: 200,
    numbersProcessed: 198,
    callsConnected: 120,
    pulses: 240,
    dndCount: 1,
    dtmfCount: 20,
    reportReason: null,
    isRetry: 0,
    reason: null,
    pending: { fresh: 0, inCall: 0, waiting: 0, retry: 0, retries: 0, nextDue: null },
    attempts: 250,
    cost: 1234.5,
    cli: '015970001',
    outcomes: { ANSWER: 120, BUSY: 130 },
    rowsInFile: 210,
    invalid: 6,
    duplicate: 4,
    ...over,
  }
  return { campaign, menus, at }
}
const valuesOf = (lines: readonly { label: string; value: string }[]) =>
  Object.fromEntries(lines.map(({ label, value }) => [label, value]))

describe('the page', () => {
  test('says the figures of the campaign, in English and AD', () => {
    const page = pageOf(summary(), english)
    expect(valuesOf(page.figures)).toEqual({
      Numbers: '200',
      Done: '198',
      Answered: '120',
      Cost: 'Rs 1,234.50',
    })
    expect(page.figures.map(({ note }) => note)).toEqual([
      '250 calls',
      '99 % of the numbers',
      '60 % of the numbers',
      'Rs 10.29 an answer',
    ])
    expect(valuesOf(page.facts)).toMatchObject({ Status: 'Complete', Scheduled: '2026-11-20 10:15' })
    expect(page.outcomes.lines.map(({ label, value, share }) => [label, value, share])).toEqual([
      ['Answered', '120', '48 %'],
      ['Busy', '130', '52 %'],
    ])
    expect(valuesOf(page.numbers.lines)).toMatchObject({ 'Rows in the file': '210', 'Still to be called': '1' })
    expect(page.foot).toEqual(['As of 2026-11-24 09:35, Nepal time.'])
  })

  test('says them in Nepali, with its digits and the Bikram Sambat', () => {
    const page = pageOf(summary({ numbersUploaded: 12_345_678 }), nepali)
    expect(page.figures[0]).toEqual({ label: 'कुल नम्बर', value: '१,२३,४५,६७८', note: '२५० कल' })
    expect(page.figures[3]?.value).toBe('रु १,२३४.५०')
    expect(valuesOf(page.facts)).toMatchObject({ अवस्था: 'सम्पन्न', 'तोकिएको समय': '२०८३-०८-०४ १०:१५' })
    expect(page.facts.at(-1)?.value).toMatch(/^[०-९]+$/)
    expect(page.foot).toEqual(['नेपाली समयअनुसार २०८३-०८-०८ ०९:३५ सम्मको।', 'मिति विक्रम संवत्‌अनुसार।'])
  })

  test('of a campaign that nobody was called of says so, and divides by nothing', () => {
    const nobody = { numbersUploaded: 0, numbersProcessed: 0, callsConnected: 0, attempts: 0, cost: 0, outcomes: {} }
    const page = pageOf(summary({ ...nobody, campaignStatus: 1 }), english)
    expect(page.outcomes).toMatchObject({ lines: [], none: 'Nobody has been called yet.' })
    expect(page.figures.map(({ note }) => note)).toEqual(['0 calls', '– of the numbers', '– of the numbers', '–'])
    expect(page.foot.at(-1)).toBe('The campaign is not over: these figures go on changing.')
    expect(JSON.stringify(page)).not.toMatch(/NaN|Infinity|null %/)
  })

  test.each([
    { why: 'what is there is not nothing', part: 1, percent: '<0.1 %' },
    { why: 'what is not all is not all', part: 9999, percent: '99.9 %' },
    { why: 'all', part: 10_000, percent: '100 %' },
    { why: 'few have a decimal', part: 312, percent: '3.1 %' },
    { why: 'many have none', part: 4567, percent: '46 %' },
  ])('percents: $why', ({ part, percent }) => {
    const page = pageOf(summary({ numbersUploaded: 10_000, callsConnected: part }), english)
    expect(page.figures[2]?.note).toBe(`${percent} of the numbers`)
  })

  test('has as many lines of keys as fit, and says how many are left out', () => {
    const menu = (name: string, digits: string[]) => ({
      menu: name,
      asked: 100,
      keys: digits.map((key) => ({
        key,
        label: key === '*' ? 'Interested' : null,
        meaning: 'recorded' as const,
        agent: null,
        count: 10,
      })),
      wrong: 1,
      none: 2,
      left: 3,
    })
    const one = pageOf(summary({}, [menu('menu1', ['1', '2'])]), english).keys
    expect(one.lines.map(({ label, value, share }) => [label, value, share])).toEqual([
      ['Key 1', '10', '10 %'],
      ['Key 2', '10', '10 %'],
      ['Wrong keys only', '1', '1 %'],
      ['No key', '2', '2 %'],
      ['Hung up before a key', '3', '3 %'],
    ])
    expect(
      pageOf(summary({}, [menu('menu1', ['1', '*'])]), nepali)
        .keys.lines.map(({ label }) => label)
        .slice(0, 2),
    ).toEqual(['बटन १', '* (Interested)'])
    expect(one.more).toBeNull()
    const many = pageOf(summary({}, [menu('a', ['1', '2', '3', '4', '5', '6']), menu('b', ['1', '2', '3'])]), english)
    expect(many.keys.lines).toHaveLength(14)
    expect(many.keys.lines.at(-1)?.label).toBe('Menu 2: No key')
    expect(many.keys.more).toBe('On the campaign’s page: 1 more.')
  })
})

test('pages are numbered when there are several', () => {
  expect(pageNumbers(1, english)).toEqual([null])
  expect(pageNumbers(2, nepali)).toEqual(['२ मध्ये १', '२ मध्ये २'])
})

test('a file is called after its campaign and the day, without what a file system refuses', () => {
  expect(fileNameOf(null, 'pdf', '../Dashain: 50% "off"', at)).toBe('_Dashain_ 50_ _off_ 2026-11-24.pdf')
})

test('a line of the table has a cell for each column, plain numbers in English', () => {
  const cells = figuresCells(summary().campaign)
  expect(cells).toHaveLength(figuresHeader.length)
  const by = Object.fromEntries(figuresHeader.map((column, at) => [column, cells[at]]))
  expect(by).toMatchObject({
    'Campaign ID': 812,
    'Campaign Name': 'Dashain',
    'Campaign Status': 'Complete',
    'Total Numbers': 200,
    'Pending Calls': 1,
    'Calls Made': 250,
    'Cost (Rs)': '1234.50',
    Answered: 120,
    Busy: 130,
    Lost: 0,
  })
})
