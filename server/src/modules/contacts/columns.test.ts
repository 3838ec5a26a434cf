import { describe, expect, test } from 'vitest'
import type { FieldError } from '../../errors.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import { blacklistHandlers } from '../blacklist/routes.ts'
import { previewBase } from './actions.ts'
import { rowOfBase } from './actions-row.ts'
import { contactHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { contacts: contactHandlers, blacklist: blacklistHandlers } })
const user = await newUser(app)

type Refused = { line: number; text: string; reason: string }
type Body = {
  baseId: number
  rows: number
  refused: Refused[]
  errors: FieldError[]
  file: { rows: number; refused: Refused[] }
}

async function post(url: string, fields: Record<string, string | File>): Promise<{ status: number; body: Body }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, user)), 'content-type': body.headers.get('content-type') ?? '' }
  const reply = await http.inject({ method: 'POST', url, headers, payload: Buffer.from(await body.arrayBuffer()) })
  return { status: reply.statusCode, body: reply.json<Body>() }
}
const csv = (lines: readonly string[]) => new File([lines.join('\n')], 'members.csv', { type: 'text/csv' })
let serial = 0
const upload = (lines: readonly string[], more: Record<string, string> = {}) =>
  post('/api/obd/baseupload', { baseName: `Members ${++serial}`, baseFile: csv(lines), ...more })
const chosen = (columns: object) => ({ columns: JSON.stringify(columns) })

describe('lines of a file whose columns were chosen', () => {
  const lines = ['Sita,9841000001', 'Ram,9841000002', 'Gita,1414', 'Hari,9841000003']
  const second = chosen({ number: 1, header: false, names: ['Name'] })

  test('are those of the file, although a header is put above the first', async () => {
    const { body } = await upload(lines, second)
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.columns).toEqual(['mobile', 'Name'])
    expect(preview.first.map(({ line }) => line)).toEqual([1, 2, 4])
    expect(preview.refused).toEqual([expect.objectContaining({ line: 3, text: '1414,Gita' })])
    const { row, previous, next } = await rowOfBase(
      { app, viewer: user },
      { baseId: body.baseId, templateId: 0, line: 4 },
    )
    expect([row.line, previous, next]).toEqual([4, 3, null])
    const list = await http.inject({
      url: `/api/obd/base/${body.baseId}/refused.csv`,
      headers: await signedIn(app, user),
    })
    expect(list.payload).toContain('\r\n3,"1414,Gita",')
  })

  test('stay when rows are added, and those of the added file are its own', async () => {
    const { body } = await upload(lines, second)
    const added = await post('/api/obd/base/add', {
      baseId: String(body.baseId),
      baseFile: csv(['Maya,9841000004', 'Lila,1414']),
      ...second,
    })
    expect(added.body.refused).toEqual([expect.objectContaining({ line: 2 })])
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect(preview.first.map(({ line }) => line)).toEqual([1, 2, 4, 5])
  })

  test('are those of the file when the header stands below titles', async () => {
    const titled = ['Our members', '', 'S.N.,Name,Mobile', '1,Sita,9841000001', '2,Ram,1414']
    const { body } = await upload(titled, chosen({ number: 2, header: true, headerLine: 3, names: [] }))
    const preview = await previewBase({ app, viewer: user }, body.baseId, 0)
    expect([preview.columns, preview.rows]).toEqual([['mobile', 'S.N.', 'Name'], 2])
    expect([preview.first, preview.refused]).toMatchObject([[{ line: 4 }], [{ line: 5 }]])
  })

  test('are those of the file in a blacklist', async () => {
    const { body } = await post('/api/obd/blistupload', { blistFile: csv(lines), ...second })
    expect(body.refused).toEqual([expect.objectContaining({ line: 3 })])
  })
})
