import { expect, test } from 'vitest'
import { isTest, sources } from './tidy-sources.ts'
import type { ListCsv } from '../server/src/csv/columns.ts'
import { csvOfLists } from '../server/src/csv/lists.ts'
import { texts as alerts } from '../web/src/i18n/en/alerts.ts'
import { texts as blacklist } from '../web/src/i18n/en/blacklist.ts'
import { texts as branding } from '../web/src/i18n/en/branding.ts'
import { texts as callRoutes } from '../web/src/i18n/en/call-routes.ts'
import { texts as callingHours } from '../web/src/i18n/en/calling-hours.ts'
import { texts as gateways } from '../web/src/i18n/en/gateways.ts'
import { texts as lines } from '../web/src/i18n/en/lines.ts'
import { texts as notices } from '../web/src/i18n/en/notices.ts'
import { texts as plans } from '../web/src/i18n/en/plans.ts'
import { texts as prompts } from '../web/src/i18n/en/prompts.ts'
import { texts as approvals } from '../web/src/i18n/en/sms-approvals.ts'
import { texts as inbox } from '../web/src/i18n/en/sms-inbox.ts'
import { texts as smsRoutes } from '../web/src/i18n/en/sms-routes.ts'
import { texts as voicePacks } from '../web/src/i18n/en/voice-packs.ts'

const boss = { userId: 0, username: '', role: 'superAdmin', parentId: null } as const

const screens: readonly [list: keyof typeof csvOfLists, columns: Readonly<Record<string, string>>][] = [
  ['alerts.list', alerts.columns],
  ['blacklist.list', blacklist.columns],
  ['brands.domains', branding.domains.columns],
  ['callRoutes.list', callRoutes.columns],
  ['callingHours.exceptions', callingHours.exceptions.columns],
  ['smsGateways.list', gateways.columns],
  ['dialers.list', lines.dialers.columns],
  ['trunks.list', lines.trunks.columns],
  ['notices.list', notices.columns],
  ['plans.list', plans.columns],
  ['prompts.listAll', prompts.columns],
  ['smsSenders.listAll', approvals.senders.columns],
  ['smsTexts.listAll', approvals.saved.columns],
  ['smsInbox.list', inbox.columns],
  ['smsRoutes.list', smsRoutes.columns],
  ['voices.list', voicePacks.columns],
]
/** What a table on paper has no use for: buttons, and advice that is the same for every alert of a kind. */
const left = new Set(['Action', alerts.columns.todo])

test.each(screens)('the CSV of %s has the columns of its screen in their words', (list, columns) => {
  const { columns: of } = csvOfLists[list] as ListCsv<never>
  const headings = Object.keys(of(boss)).map((heading) => heading.replace(/\(.*\)$/, ''))
  expect(Object.values(columns).filter((column) => !left.has(column) && !headings.includes(column))).toEqual([])
})

/** Lists that come whole to the browser and whose table has no 'Export to CSV', each with its reason (docs/deviations.md). */
const whole = {
  'contacts/ContactFilesScreen.tsx': 'each row is a file, and the file itself is downloaded',
  'credits/CreditsStatementScreen.tsx': 'has a CSV of its own',
  'dashboard/Running.tsx': 'the running campaigns of the summary, which has a CSV',
  'exports/MyExportsScreen.tsx': 'each row is a file, and the file itself is downloaded',
  'platform/StopDiallingScreen.tsx':
    'the few things that are stopped at the moment; the audit log has their history as CSV',
  'repeats/RepeatsScreen.tsx': 'at most a hundred rules; what became of their days is a list with a CSV',
  'setups/SetupsScreen.tsx': 'forms that were filled in, to begin campaigns with',
  'voice-packs/Words.tsx': 'the list of words is a CSV of its own',
}

test('a list that comes whole to the browser has a CSV, or stands here with the reason why not', () => {
  const found = sources
    .filter(({ file, text }) => file.startsWith('web/src/screens/') && !isTest(file) && text.includes('useLocalList('))
    .filter(({ text }) => !text.includes('csvHref={'))
    .map(({ file }) => file.replace('web/src/screens/', ''))
  expect(found.toSorted()).toEqual(Object.keys(whole))
})
