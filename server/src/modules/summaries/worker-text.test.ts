import * as fs from 'node:fs'
import * as path from 'node:path'
import * as harfbuzz from 'harfbuzzjs'
import Pdf from 'pdfkit'
import { describe, expect, test } from 'vitest'
import { fitted, linesOf, registerFonts, runsOf, widthOf } from './worker-text.ts'
import { openTypeOf } from '../../testing/files/woff.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const fontFile = (weight: number) =>
  path.join(
    root,
    `node_modules/@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-${weight}-normal.woff`,
  )

function nepaliWords(): string[] {
  const folders = ['web/src/i18n/ne', 'contract/src/nepali', 'server/src/modules/summaries']
  const texts = folders.flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((file) => fs.readFileSync(path.join(root, folder, file), 'utf8')),
  )
  return [...new Set(texts.flatMap((text) => text.match(/[\u0900-\u097f\u200c\u200d]+/g) ?? []))]
}

function newPdf(): PDFKit.PDFDocument {
  const pdf = new Pdf({ size: 'A4' })
  registerFonts(pdf)
  return pdf
}

/** The numbers of the glyphs that a PDF draws for a text: of pdfkit's own font, whose types do not tell of it. */
function drawn(pdf: PDFKit.PDFDocument, font: string, text: string): number[] {
  const { _font } = pdf.font(font) as unknown as {
    _font: { font: { layout(text: string): { glyphs: { id: number }[] } } }
  }
  return _font.font.layout(text).glyphs.map(({ id }) => id)
}

function shaped(font: harfbuzz.Font, text: string): number[] {
  const buffer = new harfbuzz.Buffer()
  buffer.addText(text)
  buffer.guessSegmentProperties()
  harfbuzz.shape(font, buffer)
  return buffer.getGlyphInfos().map(({ codepoint }) => codepoint)
}

const fonts = [
  ['devanagari', 400],
  ['devanagariBold', 700],
] as const

function expectDrawnAsShaped(name: string, weight: number, words: readonly string[]): void {
  const pdf = newPdf()
  const bytes = openTypeOf(fs.readFileSync(fontFile(weight)))
  const font = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(new Uint8Array(bytes).buffer)))
  const others = words.filter((word) => String(shaped(font, word)) !== String(drawn(pdf, name, word)))
  expect(others).toEqual([])
  expect(shaped(font, 'क्ष्म'), 'letters are joined, not put beside each other').not.toHaveLength(5)
}

/** The words with each letter and each pair of letters: what is joined is joined by its neighbours. */
function wordsOfEachPair(words: readonly string[]): string[] {
  const seen = new Set<string>()
  return words.filter((word) => {
    const pairs = Array.from(word, (letter, at) => letter + (word[at + 1] ?? ''))
    const fresh = pairs.filter((pair) => !seen.has(pair))
    for (const pair of fresh) seen.add(pair)
    return fresh.length > 0
  })
}

test.each(fonts)(
  '%s: Nepali words with each pair of letters are drawn with the glyphs that HarfBuzz chooses',
  (name, weight) => {
    expectDrawnAsShaped(name, weight, wordsOfEachPair(nepaliWords()))
  },
)

// The same letters in every word that there is: half a minute a font.
test.each(fonts)(
  '%s: every Nepali word of ours is drawn with the glyphs that HarfBuzz chooses',
  { timeout: 120_000, tags: ['exhaustive'] },
  (name, weight) => {
    const words = nepaliWords()
    expect(words.length).toBeGreaterThan(1500)
    expectDrawnAsShaped(name, weight, words)
  },
)

describe('a text', () => {
  test('is drawn by script; spaces and joiners belong to the letters around them', () => {
    expect(runsOf('Dashain दशैँ २०८३ (A)').map(({ text, font }) => [font, text])).toEqual([
      ['latin', 'Dashain '],
      ['devanagari', 'दशैँ २०८३ '],
      ['latin', '(A)'],
    ])
    expect(runsOf('संवत्\u200cअनुसार', true)).toEqual([{ text: 'संवत्\u200cअनुसार', font: 'devanagariBold' }])
    expect(runsOf('')).toEqual([])
  })

  test('that is too long ends with an ellipsis, never in the middle of a syllable, and fits', () => {
    const pdf = newPdf()
    const style = { size: 10 }
    const long = 'शुभकामना क्षेत्रीय '.repeat(10)
    for (const width of [20, 45, 61, 87, 133]) {
      const short = fitted(pdf, long, width, style)
      expect(widthOf(pdf, short, style)).toBeLessThanOrEqual(width)
      const kept = short.slice(0, -1)
      expect(short.endsWith('…')).toBe(true)
      const ends = Array.from(new Intl.Segmenter('ne').segment(long), ({ index, segment }) => index + segment.length)
      expect([0, ...ends, ...ends.map((end) => end - 1)]).toContain(kept.length)
    }
    expect(fitted(pdf, 'short', 100, style)).toBe('short')
  })

  test('goes on lines that are broken between words, and within a word that is longer than a line', () => {
    const pdf = newPdf()
    const style = { size: 10 }
    const lines = linesOf(pdf, 'one two three four five six seven eight nine ten', 80, style, 3)
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^one two \w+$/)
    expect(lines[2]).toMatch(/…$/)
    for (const line of lines) expect(widthOf(pdf, line, style)).toBeLessThanOrEqual(80)
    const word = linesOf(pdf, 'x'.repeat(60), 80, style, 5)
    expect(word.length).toBeGreaterThan(2)
    expect(word.join('')).toBe('x'.repeat(60))
    expect(linesOf(pdf, '', 80, style, 2)).toEqual([])
    expect(linesOf(pdf, '😀'.repeat(3), 1, style, 2).length, 'nothing fits, and it ends').toBeLessThanOrEqual(2)
  })
})
