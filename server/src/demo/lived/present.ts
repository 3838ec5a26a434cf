import { addDays } from '@ghanti/contract/days.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { raiseAlert } from '../../modules/alerts/actions.ts'
import { testWords } from '../../voice/dialer/trunks/test-calls/trunk-test-words.ts'
import { saveBrand } from '../../modules/branding/actions.ts'
import { withFiles } from '../../modules/files/actions.ts'
import { createRepeat } from '../../modules/repeats/actions.ts'
import { saveSetup } from '../../modules/setups/actions.ts'
import { askForSender } from '../../modules/sms-senders/actions.ts'
import { saveText } from '../../modules/sms-texts/actions.ts'
import { testCampaign } from '../../modules/test-calls/actions.ts'
import { demoOrigin } from '../origin.ts'
import { composeInput } from './compose.ts'
import { clis, type Lived } from './belongings.ts'
import { keyNames, type Owner } from './plan.ts'
import { insertTrunkTest } from './store-lines.ts'
import { readOldNotices } from './store-dates.ts'
import { insertReplies } from './store-inbox.ts'
import { makeWaiting } from './voice-files.ts'

/** The telephones of the users. */
const testNumbers: Record<Owner, string> = { user: '9851000007', user2: '9851000107', client: '9851000207' }

/** What waits for somebody: approvals, an alert, messages that people wrote back; a campaign that repeats, and a test call of each user. `newest`: campaigns. */
export async function makePresent(lived: Lived, newest: ReadonlyMap<Owner, number>): Promise<void> {
  const { app, people } = lived
  await makeWaiting(app, people.user, 'user')
  await makeWaiting(app, people.client, 'client')
  await makeBrand(lived)
  await askForSender({ app, viewer: people.user, origin: demoOrigin }, 'HimalOffer')
  await makeRepeat(lived)
  await saveForLater(lived)
  for (const [owner, campaignId] of newest) {
    const ctx = { app, viewer: people[owner], origin: demoOrigin }
    await testCampaign(ctx, campaignId, { numbers: [testNumbers[owner]] })
  }
  await raiseAlert(app.db, 'mail_failed', 'accounts@himalbank.example', '550 no such mailbox')
  await app.db.transaction().execute(async (tx) => {
    await insertReplies(tx)
    await insertTrunkTest(tx, people.superadmin.userId, testWords.reachable(2))
    await readOldNotices(tx)
  })
}

/** http://annapurna.localhost:3000 */
async function makeBrand({ app, people }: Lived): Promise<void> {
  const ctx = { app, viewer: people.superadmin, origin: demoOrigin }
  const brand = { company: 'Annapurna Media', domain: 'annapurna.localhost', primaryColour: '#7a3b8f' }
  await withFiles(app, (tx) => saveBrand(tx, ctx, { userId: people.agency.userId, ...brand }))
}

/** What a bank composes often: a set-up, and a text. */
async function saveForLater({ app, people, voices, bases }: Lived): Promise<void> {
  const ctx = { app, viewer: people.user, origin: demoOrigin }
  const of = {
    name: 'Offer with keys',
    template: 1,
    cli: clis.user,
    baseId: bases.branch,
    voices: voices.user,
  } as const
  const { campaignName, baseId: _, ...fields } = composeInput({ ...of, keyLabels: keyNames.user[1] })
  await saveSetup(ctx, campaignName, fields)
  const smsText = 'Himal Bank: your instalment is due this week. Questions? Call 01-5970001.'
  await saveText(ctx, { textName: 'Instalment due', smsText })
}

async function makeRepeat({ app, people, voices, bases }: Lived): Promise<void> {
  const ctx = { app, viewer: people.client, origin: demoOrigin }
  const name = 'Fees every Sunday'
  const of = { name, template: 6, cli: clis.client, baseId: bases.fees, voices: voices.client } as const
  const { campaignName: _, baseId, ...fields } = composeInput(of)
  const setupId = await saveSetup(ctx, 'Reminder of fees', fields)
  const today = nepalDayOf(app.clock.now())
  const days = { fromDay: addDays(today, 1), untilDay: addDays(today, 120), time: '10:00', offsetDays: 0 }
  await createRepeat(ctx, { repeatName: name, setupId, baseId, rule: 'weekly', weekdays: [0], ...days })
}
