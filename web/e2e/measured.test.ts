// @module-tag exhaustive
// It plants faults for measured.ts, which screens.test.ts uses: whoever changes that file runs this one.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, openBrowser, phone, useBrowser } from './console.ts'
import { measured } from './measured.ts'

useBrowser()

const frame = (body: string) =>
  `<!doctype html><html lang="en"><style>
    body { margin: 20px; font: 16px/24px sans-serif }
    button, a.key { box-sizing: border-box; min-width: 48px; min-height: 48px }
  </style><body>${body}</body></html>`

async function faultsOf(page: Page, body: string): Promise<string[]> {
  await page.setContent(frame(body))
  return measured(page)
}

/** Each of them went through thousands of tests of a console before somebody looked at it. */
const planted: readonly { why: string; body: string; found: RegExp }[] = [
  {
    why: 'the entries of a menu lost their padding',
    body: '<div role="menu"><button role="menuitem" style="padding:0; min-height:0; height:26px">Pause</button></div>',
    found: /^an entry without room, 26 px: button “Pause”$/,
  },
  {
    why: 'a dialog of 620 px has columns of 1,103',
    body: '<div role="dialog" style="width:620px; overflow-x:auto"><div style="width:1103px">Columns</div></div>',
    found: /^scrolls across in a dialog, 1103 px in 620: div “Columns”$/,
  },
  {
    why: 'the icons of a row lie over the figure before them',
    body: '<p>Channels <b>10</b><i style="margin-left:-14px">Report</i></p>',
    found: /^text over text: b “10” and i “Report”$/,
  },
  {
    why: 'a line is cut by the height of its row',
    body: '<div style="height:30px; overflow:hidden">One<br>Two lines of a reason</div>',
    found: /^cut, without an ellipsis: div “OneTwo lines of a reason”$/,
  },
  {
    why: 'a name is cut where its cell ends',
    body: '<div style="width:60px; overflow:hidden; white-space:nowrap">Festival season special</div>',
    found: /^cut, without an ellipsis: div “Festival season special”$/,
  },
  {
    why: 'an ellipsis, and no way to read the rest',
    body: '<div style="width:60px; overflow:hidden; text-overflow:ellipsis; white-space:nowrap">Festival season special</div>',
    found: /^cut, without a title that says it in full: Festival season special$/,
  },
  {
    why: 'a cross of 16 px',
    body: '<button style="min-width:0; min-height:0; width:16px; height:16px; padding:0">×</button>',
    found: /^16 × 16 px to press: button “×”$/,
  },
  {
    why: 'a field is wider than its form',
    body: '<form style="width:300px"><div style="width:340px">Name</div></form>',
    found: /^wider than what it stands in, 340 px in 300: div “Name”$/,
  },
]

test.each(planted)('it is seen that $why', async ({ body, found }) => {
  const page = await openBrowser({ viewport: desktop })
  expect(await faultsOf(page, body)).toEqual([expect.stringMatching(found)])
})

test('a finger needs more room than a mouse', async () => {
  const page = await openBrowser({ viewport: desktop })
  const small = '<button style="min-width:0; min-height:0; width:32px; height:32px; padding:0">×</button>'
  expect(await faultsOf(page, small)).toEqual([])
  await page.setViewportSize(phone)
  expect(await faultsOf(page, small)).toEqual(['32 × 32 px to press: button “×”'])
})

const sound = `
  <h1>Campaigns</h1>
  <p>44 of 53 answered; see <a href="#">all calls</a> of today.</p>
  <label style="display:inline-block; padding:12px"><input type="checkbox" style="width:16px; height:16px"> Choose</label>
  <div title="Festival season special" style="width:60px; overflow:hidden; text-overflow:ellipsis; white-space:nowrap">Festival season special</div>
  <div style="overflow-x:auto"><table style="width:2000px"><tr><td>Wide, and scrolls</td></tr></table></div>
  <span style="position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%)">For those who hear the page</span>
  <div style="position:sticky; top:0; background:#fff">Over what scrolls below it</div>
  <div style="position:relative"><p>What a panel covers</p><div role="dialog" style="position:absolute; top:0; background:#fff">A panel of filters</div></div>
  <div role="menu"><button role="menuitem" style="padding:8px 12px">Pause</button></div>
  <div style="padding:8px"><div style="margin:0 -8px">A row as wide as its card</div></div>`

test.each([
  { where: 'a wide window', viewport: desktop },
  { where: 'a phone', viewport: phone },
])('nothing is wrong with a sound page in $where', async ({ viewport }) => {
  const page = await openBrowser({ viewport })
  expect(await faultsOf(page, sound)).toEqual([])
})
