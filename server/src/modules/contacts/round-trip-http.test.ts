import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { columns, formats, mobileOf, rowOfCells, seen, sheetOf } from '../../testing/files/cells.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import type { Viewer } from '../../policy.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers } })
const parent = await newReseller(app)

async function upload(user: Viewer, baseName: string, content: BlobPart) {
  const form = new FormData()
  form.set('baseName', baseName)
  form.set('baseFile', new File([content], 'contacts'))
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/baseupload', headers, payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ baseId: number; rows: number; dialable: number; dateOrders: object }>()
}
const get = async (user: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, user) })

type Row = { mobile: string; values: Record<string, string>; dates: object; spoken: object }
const shown = async (user: Viewer, baseId: number) =>
  (await get(user, `/api/obd/base/${baseId}/detail`)).json<{ preview: { first: Row[] } }>().preview.first

test('every kind of cell is shown, spoken, downloaded and uploaded again as it was, by an account over HTTP', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rowOfCells, { minLength: 1, maxLength: 9 }), async (rows) => {
      const user = await newUser(app, { parent })
      const book = await workbook([{ name: 'June', rows: sheetOf(rows) }], { formats })
      const { baseId, ...first } = await upload(user, 'First', book)
      expect(first).toMatchObject({ rows: rows.length, dialable: rows.length })
      const before = await shown(user, baseId)
      expect(before.map(({ mobile, values }) => [mobile, ...columns.map((column) => values[column] ?? '')])).toEqual(
        rows.map((of, at) => [mobileOf(at), ...of.map((cell) => seen(cell.text))]),
      )
      const file = await get(user, `/api/obd/base/${baseId}/contacts.csv`)
      const { baseId: again, ...second } = await upload(user, 'Second', file.body)
      expect(second).toEqual(first)
      expect(await shown(user, again)).toEqual(before)
    }),
    { numRuns: 12 },
  )
})
