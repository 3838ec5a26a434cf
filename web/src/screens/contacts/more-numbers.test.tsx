import { expect, test } from 'vitest'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { MoreNumbers } from './MoreNumbers.tsx'

await loadTexts('moreNumbers')

test('numbers that were not taken are said with their place: columns, lines above them, other sheets and hidden ones', async () => {
  const counted = [
    { column: 'mobile', rows: 1 },
    { column: 'Phone 2', rows: 1200 },
    { column: '', rows: 1, place: 'above' as const },
    { column: 'July', rows: 3, place: 'sheet' as const },
    { column: 'Old', rows: 3, place: 'hiddenSheet' as const },
  ]
  await renderApp(<MoreNumbers counted={counted} of="calls" />)
  await expect
    .poll(() => Array.from(document.querySelectorAll('li'), ({ textContent }) => textContent))
    .toEqual([
      '1 row has a second number behind the first: it will not be called.',
      '1,200 rows have a second number in “Phone 2”: it will not be called.',
      '1 line above the column names has a number: it will not be called.',
      'The sheet “July” has numbers too and was not read: upload it separately.',
      'The hidden sheet “Old” has numbers and was not read: show it in Excel to upload it.',
    ])
  await expectAccessible()
})
