import { creditRoutes } from '@ghanti/contract/credits.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { toneFile } from '../../server/src/testing/files/sound.ts'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import { address, openBrowser, password } from './console.ts'
import { openGroupOf } from './menu.ts'

/** Of each page, how often its mouse was pressed. */
const presses = new WeakMap<Page, { count: number }>()

/** A browser at the dashboard, from where every job begins. */
export async function openCounted(as: string, word = password): Promise<Page> {
  const page = await openBrowser({ as, word })
  const pressed = { count: 0 }
  presses.set(page, pressed)
  await page.exposeFunction('pressed', () => void (pressed.count += 1))
  await page.addInitScript(() => {
    const { pressed } = window as unknown as { pressed: () => void }
    // At the document: Playwright stops at the window what would hit something else than it aims at, and presses again.
    document.addEventListener('pointerdown', ({ isTrusted }) => isTrusted && pressed(), { capture: true })
  })
  return page
}

type Job = {
  what: string
  /** Presses of the mouse from the dashboard to the result. Fields are reached by Tab and filled in by keyboard. */
  clicks: number
  page: () => Page
  run: (page: Page) => Promise<void>
  tags?: string[]
}

/** A test whose name says how many clicks the job takes. More and fewer fail. */
export function job({ what, clicks, page: pageOf, run, tags = [] }: Job): void {
  test(`${what}: ${clicks} ${clicks === 1 ? 'click' : 'clicks'}`, { tags }, async () => {
    const page = pageOf()
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    const pressed = presses.get(page)
    if (!pressed) throw new Error('nobody counts in this page')
    pressed.count = 0
    await run(page)
    await page.evaluate(() => null) // presses arrive in order, before this
    expect(pressed.count, 'clicks').toBe(clicks)
  })
}

/** A press opens the entry's group unless the screen in view belongs to it; 'New campaign' stands above all groups. */
export async function openMenu(page: Page, entry: string, heading = entry): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  if (entry === 'Compose Voice Campaign') await menu.getByRole('link', { name: 'New campaign' }).click()
  else {
    await openGroupOf(page, entry)
    // An entry may end with a count; 'Report' is the beginning of another one's name, too.
    await menu.getByRole('link', { name: entry }).first().click()
  }
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** Chooses a file in the dialog that a click opens. */
export async function pickFile(page: Page, opener: Locator, file: Parameters<Locator['setInputFiles']>[0]) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), opener.click()])
  await chooser.setFiles(file)
}

/** A caller ID that the demo's reseller may pass on. */
export async function newCli(cli: string): Promise<number> {
  const admin = await signInOver(address, 'superadmin', password)
  const { userId } = await signInOver(address, 'reseller', password)
  const { cliId } = await admin.ask(lineRoutes.add, { cli, channels: 20, trunkName: 'Simulated trunk' })
  await admin.ask(lineRoutes.allocate, { cliRows: [{ cliId, userId }] })
  return cliId
}

/** Nobody's names are in it: those are refused. */
export const customersWord = 'seven green buffaloes'

/** A customer of the demo's reseller with a balance, a caller ID and an approved welcome file; `name` is also its username. */
export async function newCustomer(name: string, cli: string): Promise<Caller> {
  const [reseller, admin] = await Promise.all([
    signInOver(address, 'reseller', password),
    signInOver(address, 'superadmin', password),
  ])
  const [plan] = await reseller.ask(planRoutes.choices, { userId: reseller.userId })
  const person = { name, company: name, number: '9841000000', address: 'Pokhara', pincode: '33700' }
  const { userId } = await reseller.ask(userRoutes.register, {
    ...person,
    emailid: `${name}@example.com`,
    username: name,
    password: customersWord,
    planId: plan?.planId,
    userType: 'user',
    accountType: 0,
    channels: 2,
  })
  await reseller.ask(creditRoutes.add, { userId, credits: 500 })
  await reseller.ask(lineRoutes.allocate, { cliRows: [{ cliId: await newCli(cli), userId }] })
  const customer = await signInOver(address, name, customersWord)
  const { promptId } = await customer.ask(promptRoutes.upload, {
    waveFile: toneFile('welcome.wav', 1),
    fileName: 'Welcome',
    promptCategory: 'welcome',
  })
  await admin.ask(promptRoutes.approve, { promptId })
  return customer
}
