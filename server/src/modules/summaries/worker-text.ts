import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const require = createRequire(import.meta.url)

/** The fonts of the PDF. Each covers one script, so a text is drawn in runs. */
const files = {
  latin: require.resolve('@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff'),
  latinBold: require.resolve('@fontsource/noto-sans/files/noto-sans-latin-700-normal.woff'),
  devanagari: require.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff'),
  devanagariBold:
    require.resolve('@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-700-normal.woff'),
}
type FontName = keyof typeof files

export function registerFonts(pdf: PDFKit.PDFDocument): void {
  for (const [name, file] of Object.entries(files)) pdf.registerFont(name, readFileSync(file))
}

type Run = { text: string; font: FontName }
type TextStyle = { size: number; bold?: boolean; colour?: string }

/** The Devanagari blocks, and the joiners, which belong to the letters around them. */
const devanagari = [
  [0x0900, 0x097f],
  [0x1cd0, 0x1cff],
  [0x200c, 0x200d],
  [0xa8e0, 0xa8ff],
] as const
const isOfDevanagari = (letter: string): boolean => {
  const point = letter.codePointAt(0) ?? 0
  return devanagari.some(([from, to]) => point >= from && point <= to)
}

/** Splits a text into runs of one script. A space belongs to the run before it. */
export function runsOf(text: string, bold = false): Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const last = runs.at(-1)
    const isDevanagari = letter === ' ' ? last?.font.startsWith('devanagari') === true : isOfDevanagari(letter)
    const font: FontName = isDevanagari ? (bold ? 'devanagariBold' : 'devanagari') : bold ? 'latinBold' : 'latin'
    if (last?.font === font) last.text += letter
    else runs.push({ text: letter, font })
  }
  return runs
}

/** The width in points. */
export function widthOf(pdf: PDFKit.PDFDocument, text: string, { size, bold }: TextStyle): number {
  return runsOf(text, bold).reduce(
    (sum, run) => sum + pdf.font(run.font).fontSize(size).widthOfString(run.text, { lineBreak: false }),
    0,
  )
}

const graphemes = new Intl.Segmenter('ne', { granularity: 'grapheme' })

export function fitted(pdf: PDFKit.PDFDocument, text: string, width: number, style: TextStyle): string {
  if (widthOf(pdf, text, style) <= width) return text
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment)
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (widthOf(pdf, `${parts.slice(0, middle).join('')}…`, style) <= width) low = middle
    else high = middle - 1
  }
  return `${parts.slice(0, low).join('').trimEnd()}…`
}

/** Breaks a text into lines, between words where possible. Whatever does not fit into `max` lines becomes an ellipsis. */
export function linesOf(pdf: PDFKit.PDFDocument, text: string, width: number, style: TextStyle, max: number): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest !== '' && lines.length < max - 1 && widthOf(pdf, rest, style) > width) {
    const head = fitted(pdf, rest, width, style).slice(0, -1)
    const space = head.length < rest.length && rest[head.length] !== ' ' ? head.lastIndexOf(' ') : head.length
    const line = head.slice(0, space > 0 ? space : head.length)
    if (line === '') break
    lines.push(line.trimEnd())
    rest = rest.slice(line.length).trimStart()
  }
  if (rest !== '') lines.push(fitted(pdf, rest, width, style))
  return lines
}

type Place = {
  x: number
  /** The y of the baseline, which both scripts share. */
  baseline: number
  width: number
  align?: 'left' | 'right'
}

export function drawLine(pdf: PDFKit.PDFDocument, text: string, place: Place, style: TextStyle): void {
  const line = fitted(pdf, text, place.width, style)
  const { size, bold, colour = '#1b1a17' } = style
  let x = place.align === 'right' ? place.x + place.width - widthOf(pdf, line, style) : place.x
  for (const run of runsOf(line, bold)) {
    pdf.font(run.font).fontSize(size).fillColor(colour)
    pdf.text(run.text, x, place.baseline, { lineBreak: false, baseline: 'alphabetic' })
    x += pdf.widthOfString(run.text, { lineBreak: false })
  }
}
