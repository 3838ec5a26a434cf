import { inflateSync } from 'node:zlib'
import { outcomeColours } from '@ghanti/contract/outcome-colours.ts'
import Pdf from 'pdfkit'
import type { SummaryPage } from './rules-page.ts'
import { logoOf } from '../branding/rules-logo.ts'
import { drawLine, linesOf, registerFonts, widthOf } from './worker-text.ts'

type SummaryBrand = { company: string; colour: string | null; logo: Uint8Array | null }
export type SummaryPdfJob = { pages: SummaryPage[]; brand: SummaryBrand; at: Date; of: (string | null)[] }

/** A4 in points. */
const paper = { width: 595.28, height: 841.89, margin: 48 }
const inner = paper.width - 2 * paper.margin
const left = paper.margin
export const half = (inner - 28) / 2
const muted = '#6b675f'
const line = '#e6e3dc'
const ourColour = '#0b66a3'

/** Draws the pages as one PDF, in memory: a page takes some 60 kB, mostly for fonts. `of`: the text at the foot of each page. */
export async function summaryPdf({ pages, brand, at, of }: SummaryPdfJob): Promise<Buffer> {
  const [first] = pages
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: first?.language ?? 'en',
    displayTitle: true,
    info: { Title: `${first?.title ?? ''}: ${first?.name ?? ''}`, Author: brand.company, CreationDate: at },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject))
  registerFonts(pdf)
  for (const [at, page] of pages.entries()) {
    pdf.addPage()
    drawPage(pdf, page, brand, of[at] ?? null)
  }
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

function drawPage(pdf: PDFKit.PDFDocument, page: SummaryPage, brand: SummaryBrand, of: string | null): void {
  const colour = brand.colour ?? ourColour
  let y = drawHead(pdf, page, brand, colour)
  y = drawFacts(pdf, page, y)
  y = drawFigures(pdf, page, y + 18, colour)
  y = drawOutcomes(pdf, page, y + 22)
  const numbers = drawTable(pdf, page.numbers, { x: left, y: y + 20, width: half })
  const money = drawTable(pdf, page.money, { x: left + half + 28, y: y + 20, width: half })
  drawKeys(pdf, page, Math.max(numbers, money) + 18)
  drawFoot(pdf, page, of)
}

function drawHead(pdf: PDFKit.PDFDocument, page: SummaryPage, brand: SummaryBrand, colour: string): number {
  const logoWidth = drawLogo(pdf, brand.logo)
  const from = logoWidth === null ? left : left + logoWidth + 12
  drawLine(pdf, brand.company, { x: from, baseline: 66, width: inner / 2 }, { size: 13, bold: true })
  const title = { x: left + inner / 2, baseline: 66, width: inner / 2, align: 'right' } as const
  drawLine(pdf, page.title, title, { size: 11, colour: muted })
  pdf.rect(left, 84, inner, 2.5).fill(colour)
  const style = { size: 19, bold: true }
  let baseline = 116
  for (const text of linesOf(pdf, page.name, inner, style, 2)) {
    drawLine(pdf, text, { x: left, baseline, width: inner }, style)
    baseline += 27
  }
  return baseline - 4
}

const logoBox = { width: 118, height: 34 }

/** Draws a PNG or JPEG and returns its width on the page. Null: there is no logo, or it cannot be drawn. */
function drawLogo(pdf: PDFKit.PDFDocument, logo: Uint8Array | null): number | null {
  const bytes = logo && Buffer.from(logo)
  const found = bytes && logoOf(bytes)
  if (!bytes || !found || 'wrong' in found || !canBeDrawn(bytes)) return null
  const scale = Math.min(logoBox.width / found.width, logoBox.height / found.height)
  try {
    pdf.image(bytes, left, 42, { fit: [logoBox.width, logoBox.height], valign: 'center' })
    return found.width * scale
  } catch {
    return null // the company's name says whose it is
  }
}

/** The pixel data of the largest permitted logo, with alpha and filter bytes. */
const pixelBytesMax = 2000 * (2000 * 8 + 1)

/** Unpacks a PNG to test it, because pdfkit would do so in the background, where an error ends the thread. */
function canBeDrawn(bytes: Buffer): boolean {
  if (bytes.readUInt16BE(0) === 0xffd8) return true
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return false
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  try {
    return inflateSync(Buffer.concat(data), { maxOutputLength: pixelBytesMax }).length > 0
  } catch {
    return false
  }
}

function drawFacts(pdf: PDFKit.PDFDocument, { facts }: SummaryPage, y: number): number {
  const width = inner / facts.length
  for (const [at, { label, value }] of facts.entries()) {
    const x = left + at * width
    drawLine(pdf, label, { x, baseline: y + 8, width: width - 8 }, { size: 8, colour: muted })
    drawLine(pdf, value, { x, baseline: y + 22, width: width - 8 }, { size: 9.5 })
  }
  return y + 24
}

function drawFigures(pdf: PDFKit.PDFDocument, { figures }: SummaryPage, y: number, colour: string): number {
  const gap = 10
  const width = (inner - gap * (figures.length - 1)) / figures.length
  const size = sizeThatFits(
    pdf,
    figures.map(({ value }) => value),
    width - 20,
  )
  for (const [at, { label, value, note }] of figures.entries()) {
    const x = left + at * (width + gap)
    pdf.roundedRect(x, y, width, 72, 5).lineWidth(0.8).stroke(line)
    const place = { x: x + 10, width: width - 20 }
    drawLine(pdf, label, { ...place, baseline: y + 18 }, { size: 8.5, colour: muted })
    drawLine(pdf, value, { ...place, baseline: y + 44 }, { size, bold: true, colour })
    drawLine(pdf, note, { ...place, baseline: y + 62 }, { size: 7.5, colour: muted })
  }
  return y + 72
}

/** The font size at which every figure fits its box, since a figure must not be cut. */
function sizeThatFits(pdf: PDFKit.PDFDocument, values: readonly string[], width: number): number {
  const fits = (size: number) => values.every((value) => widthOf(pdf, value, { size, bold: true }) <= width)
  return [19, 17, 15, 13, 11, 9.5, 8].find(fits) ?? 6
}

function heading(pdf: PDFKit.PDFDocument, text: string, x: number, y: number, width: number): number {
  drawLine(pdf, text, { x, baseline: y + 9, width }, { size: 10.5, bold: true })
  return y + 18
}

const shareWidth = 44
const rowSize = 9
const sharedWidth = 62

type Row = { label: string; value: string; share?: string | undefined }

export function labelWidth(pdf: PDFKit.PDFDocument, { value, share }: Row, width: number): number {
  const beside = share === undefined ? widthOf(pdf, value, { size: rowSize }) : sharedWidth + shareWidth
  return width - beside - 6
}

function drawRow(pdf: PDFKit.PDFDocument, row: Row, { x, y, width }: { x: number; y: number; width: number }): void {
  const { label, value, share } = row
  drawLine(pdf, label, { x, baseline: y + 10, width: labelWidth(pdf, row, width) }, { size: rowSize })
  const right = x + width - (share === undefined ? 0 : shareWidth)
  const count = { x, baseline: y + 10, width: right - x, align: 'right' } as const
  drawLine(pdf, value, count, { size: rowSize })
  if (share !== undefined) {
    const at = { x: right, baseline: y + 10, width: shareWidth, align: 'right' } as const
    drawLine(pdf, share, at, { size: rowSize, colour: muted })
  }
  pdf
    .moveTo(x, y + 15)
    .lineTo(x + width, y + 15)
    .lineWidth(0.4)
    .stroke(line)
}
const rowHeight = 16.5

function drawOutcomes(pdf: PDFKit.PDFDocument, { outcomes }: SummaryPage, from: number): number {
  let y = heading(pdf, outcomes.title, left, from, inner)
  if (outcomes.lines.length === 0) {
    drawLine(pdf, outcomes.none, { x: left, baseline: y + 10, width: inner }, { size: 9, colour: muted })
    return y + rowHeight
  }
  let x = left
  for (const { disposition, part } of outcomes.lines) {
    pdf.rect(x, y, Math.max(0.4, part * inner), 13).fill(outcomeColours[disposition])
    x += part * inner
  }
  y += 20
  const inFirst = Math.ceil(outcomes.lines.length / 2)
  for (const [at, { disposition, ...row }] of outcomes.lines.entries()) {
    const column = at < inFirst ? 0 : 1
    const place = { x: left + column * (half + 28), y: y + (at - column * inFirst) * rowHeight }
    pdf.rect(place.x, place.y + 3, 8, 8).fill(outcomeColours[disposition])
    drawRow(pdf, row, { x: place.x + 14, y: place.y, width: half - 14 })
  }
  return y + inFirst * rowHeight
}

function drawTable(
  pdf: PDFKit.PDFDocument,
  { title, lines }: { title: string; lines: Row[] },
  { x, y: from, width }: { x: number; y: number; width: number },
): number {
  let y = heading(pdf, title, x, from, width)
  for (const row of lines) {
    drawRow(pdf, row, { x, y, width })
    y += rowHeight
  }
  return y
}

function drawKeys(pdf: PDFKit.PDFDocument, { keys }: SummaryPage, from: number): void {
  const y = heading(pdf, keys.title, left, from, inner)
  const note = (text: string, at: number): void =>
    drawLine(pdf, text, { x: left, baseline: at + 10, width: inner }, { size: 9, colour: muted })
  if (keys.lines.length === 0) return note(keys.none, y)
  const inFirst = Math.ceil(keys.lines.length / 2)
  for (const [at, row] of keys.lines.entries()) {
    const column = at < inFirst ? 0 : 1
    drawRow(pdf, row, { x: left + column * (half + 28), y: y + (at - column * inFirst) * rowHeight, width: half })
  }
  if (keys.more !== null) note(keys.more, y + inFirst * rowHeight)
}

function drawFoot(pdf: PDFKit.PDFDocument, { foot }: SummaryPage, of: string | null): void {
  const baseline = paper.height - 36
  pdf
    .moveTo(left, baseline - 16)
    .lineTo(left + inner, baseline - 16)
    .lineWidth(0.4)
    .stroke(line)
  const style = { size: 8, colour: muted }
  drawLine(pdf, foot.join(' '), { x: left, baseline, width: inner - 60 }, style)
  if (of !== null) drawLine(pdf, of, { x: left + inner - 56, baseline, width: 56, align: 'right' }, style)
}
