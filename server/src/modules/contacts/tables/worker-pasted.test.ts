import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { pastedLines } from './worker-pasted.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-pasted-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let files = 0

async function linesOf(text: string): Promise<string[]> {
  const [source, target] = [path.join(folder, String(++files)), path.join(folder, String(++files))]
  fs.writeFileSync(source, text)
  expect(await pastedLines({ want: 'lines', path: source, target })).toMatchObject({ kind: 'lines' })
  return fs.readFileSync(target, 'utf8').split('\n')
}

test.each([
  ['a name and an amount behind it', 'Ram 9841002001 500\nSita 9841002002 Rs. 50', ['9841002001', '9841002002']],
  ['an amount alone behind it', '9841002001 500', ['9841002001']],
  ['a date before it', '29 Nov: Ram 9841002001', ['9841002001']],
  ['its place of the list in brackets', '(6) 9841002006\n(७) सीता ९८४१००२००७', ['9841002006', '९८४१००२००७']],
  ['what spreadsheets write around it', '="9841002001"\n="9841002002"', ['9841002001', '9841002002']],
  ['its kind in Nepali', 'मो. नं. ९८४१००२००१', ['मो. नं. ९८४१००२००१']],
])('a line with %s is its number', async (_, text, lines) => {
  expect((await linesOf(text)).filter((line) => line.trim() !== '')).toEqual(lines)
})

test.each(['Ram 9841002001 98010020', 'TXN9841002001', 'Ram 984100200 500', 'Ram 9841002001x'])(
  '%j stays as it is, to be refused',
  async (line) => {
    expect(await linesOf(line)).toEqual([line])
  },
)
