import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, goOn, goTo, openBrowser, password, useBrowser } from './console.ts'
import { dataForScreens } from './screen-data.ts'
import { screens, type Ids } from './screens.ts'

useBrowser()
const ids: Ids = { campaignId: 0, smsCampaignId: 0, packId: 0, baseId: 0 }
beforeAll(async () => Object.assign(ids, await dataForScreens(await signInOver(address, 'user', password))))

/** What keeps its digits, besides what stands in translate="no": it is looked up, typed or somebody's own name. */
const codes = [
  'UTC\\+5:45|GSM-7|SHA-256|Q\\.850|SIP \\d{3}|SMPP 3\\.4|mp3|m4a|\\d\\.wav', // standards, files
  '\\d+\\.\\d+\\.\\d+\\.\\d+([:/]\\d+)?|8088|5060|5061|पोर्ट 80 र 443', // addresses
  '015970001@ims|RFC 4733|100rel|rfc4733|977\\d*|01-5970001|9841000001|09841000001|हटाएर 0 थप्दा', // examples of what is typed
  '07:00 जस्तो|24:00 भनेको|300 देखि 699, जस्तै 480|1 देखि 127, जस्तै 34',
  'user2|\\d+ s at Rs [\\d.]+|44600', // the demo's own names
  '^[०-९0-9]-[०-९0-9]$', // the choice itself
  '(Hyacinth|Due notice|Test message|Tihar) ?[\\d: -]+', // names that other tests gave
  '^503:', // an operator's reply
].join('|')

/** What the page shows with digits of the other script. */
async function mixedIn(page: Page, other: string): Promise<string[]> {
  return page.evaluate(
    ({ digits, exempt }) => {
      const found: string[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = (node.textContent ?? '').trim().replace(new RegExp(exempt, 'g'), '')
        const apart = node.parentElement?.closest('[translate=no], script, style, kbd, textarea')
        if (new RegExp(digits).test(text) && !apart) found.push(text)
      }
      return found
    },
    { digits: other, exempt: codes },
  )
}

/** Each screen once, as the role that sees most of it. */
const opened = ['superadmin', 'user', 'reseller'].map((as, at, roles) => ({
  as,
  screens: screens.filter(
    ({ name, as: role, open }) =>
      role === as && !open && !screens.some((other) => other.name === name && roles.indexOf(other.as) < at),
  ),
}))

test.each([
  { script: 'devanagari', other: '[0-9]' },
  { script: 'latin', other: '[\u0966-\u096f]' },
])('with $script digits chosen, no Nepali screen shows others', async ({ script, other }) => {
  const mixed: Record<string, string[]> = {}
  await Promise.all(
    opened.map(async ({ as, screens: own }) => {
      const page = await openBrowser({ as })
      await page.addInitScript((chosen) => {
        localStorage.setItem('ghanti-language', 'ne')
        localStorage.setItem('ghanti-digits', chosen)
      }, script)
      let before: string | undefined
      for (const screen of own) {
        const stays = before === undefined || before === screen.component
        await (stays ? goTo : goOn)(page, screen.path(ids))
        before = screen.component
        await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-stale]'))
        const found = await mixedIn(page, other)
        if (found.length > 0) mixed[`${as} ${screen.name}`] = [...new Set(found)]
      }
    }),
  )
  expect(mixed).toEqual({})
})
