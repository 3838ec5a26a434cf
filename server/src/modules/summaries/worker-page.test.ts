import Pdf from 'pdfkit'
import { expect, test } from 'vitest'
import { summaryWords } from './rules-words.ts'
import { half, labelWidth } from './worker-page.ts'
import { registerFonts, widthOf } from './worker-text.ts'

test.each(['en', 'ne'] as const)(
  'every label of numbers and money in %s stands whole beside a large value',
  (language) => {
    const pdf = new Pdf({ size: 'A4' })
    registerFonts(pdf)
    const t = summaryWords[language]
    const value = t.rupees('99,99,99,999.50')
    const labels = [
      t.rowsInFile,
      t.invalid,
      t.duplicate,
      t.dnd,
      t.final,
      t.pending,
      t.attempts,
      t.answered,
      t.keyed,
      t.cost,
    ]
    for (const label of labels)
      expect(widthOf(pdf, label, { size: 9 }), label).toBeLessThanOrEqual(labelWidth(pdf, { label, value }, half))
  },
)
