import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { expect, vi } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { polling } from '../../server/src/testing/timeouts.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, bytesOf, chooseOption, goTo, password } from './console.ts'

/** A campaign of `user` that waits until tomorrow, and is Ready: a list that is filtered by status has it at once. */
export async function scheduled(campaignName: string): Promise<number> {
  const scheduleTime = nepalTimeOf(new Date(Date.now() + 24 * 3600_000))
  const campaignId = await composed({ campaignName, scheduleTime }, '9841000001\n9841000011')
  const api = await signInOver(address, 'user', password)
  const isReady = async () => {
    const rows = await api.ask(voiceCampaignRoutes.list, { userId: api.userId, search: campaignName })
    return rows.some((row) => row.campaignId === campaignId && row.campaignStatus === campaignStatusCode.ready)
  }
  await vi.waitFor(async () => expect(await isReady(), `${campaignName} is Ready`).toBe(true), polling)
  return campaignId
}

/** A campaign of `user` that calls two numbers at once: one is busy, one rings and answers. */
export function calledNow(campaignName: string): Promise<number> {
  return composed({ campaignName }, '9841000001\n9841000050')
}

async function composed(of: { campaignName: string; scheduleTime?: string }, contactList: string): Promise<number> {
  const api = await signInOver(address, 'user', password)
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const asked = { userId: api.userId, promptCategory: 'welcome', promptStatus: '1' }
  const [welcome] = await api.ask(promptRoutes.list, asked)
  const { baseId } = await api.ask(contactRoutes.paste, { contactList })
  const campaign = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId }
  return (await api.ask(composeRoutes.compose, { ...campaign, ...of })).campaignId
}

/** The demo's voice files by the field that plays them. */
const files = {
  'Welcome file': 'Welcome (demo tone).wav',
  'Menu file': 'Menu (demo tone).wav',
  'Thanks file': 'Thanks (demo tone).wav',
} as const

export type Composed = {
  name: string
  template: 'Simple IVR' | 'DTMF Input' | 'Call Patch'
  contacts: File | string | { stored: string }
  keys?: readonly string[]
  /** By key. */
  keyNames?: Readonly<Record<string, string>>
  agents?: readonly { number: string; key: string }[]
}

/** Fills in the form, up to the estimate, as the owner of the demo's CLI. */
export async function fillIn(
  page: Page,
  { name, template, contacts, keys, keyNames = {}, agents }: Composed,
): Promise<void> {
  await goTo(page, '/add-voice-campaign', 'Compose Voice Campaign')
  await page.getByLabel('Campaign name').fill(name)
  await chooseOption(page, 'Sender ID (CLI)', /^01-597/)
  await chooseTemplate(page, template)
  if (template === 'Simple IVR') await chooseOption(page, 'Welcome file', files['Welcome file'])
  else await chooseOption(page, 'Menu file', files['Menu file'])
  if (keys) await chooseKeys(page, keys)
  for (const [key, called] of Object.entries(keyNames)) await page.getByLabel(`Name of key ${key}`).fill(called)
  for (const agent of agents ?? []) {
    await page.getByLabel('Agent number').fill(agent.number)
    await chooseOption(page, 'DTMF', agent.key)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
  }
  if (contacts instanceof File) await uploadContacts(page, contacts)
  else if (typeof contacts === 'string') {
    await page.getByLabel('List of numbers').fill(contacts)
    await page.getByRole('button', { name: 'Check the numbers' }).click()
  } else {
    await page.getByText('Stored file', { exact: true }).click()
    await chooseOption(page, 'Stored contact file', new RegExp(`^${contacts.stored} `))
  }
  await page.getByRole('complementary', { name: 'Estimate' }).getByText('at most Rs').waitFor()
}

export async function chooseTemplate(
  page: Page,
  template: Composed['template'] | 'Automobile Service' | 'Consultancy',
): Promise<void> {
  await page.getByRole('group', { name: 'Template' }).getByText(template, { exact: true }).click()
}

async function chooseKeys(page: Page, keys: readonly string[]): Promise<void> {
  await page.getByRole('combobox', { name: 'DTMF keys' }).click({ force: true }) // its inner field receives the click
  for (const key of keys) await page.getByRole('option', { name: key, exact: true }).click()
  await page.keyboard.press('Escape')
}

async function uploadContacts(page: Page, contacts: File): Promise<void> {
  await page.getByText('Upload file', { exact: true }).click()
  await page.getByLabel('Contact file').setInputFiles(await bytesOf(contacts))
  await page.getByRole('button', { name: 'Upload and check' }).click()
}

/** Goes through the review step and the Success modal to the summary. Returns the review's sentence. */
export async function send(page: Page, button: 'Send Now' | 'Compose Campaign' = 'Send Now'): Promise<string> {
  await page.getByRole('complementary', { name: 'Estimate' }).getByRole('button', { name: button }).click()
  const review = page.getByRole('dialog', { name: 'Review' })
  const sentence = (await review.getByText(/^Calls .* numbers? from/).textContent()) ?? ''
  await review.getByRole('button', { name: button }).click()
  await page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'OK' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voice Campaign Summary' }).waitFor()
  return sentence
}

export function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
}

export async function cellOf(page: Page, name: string, column: string): Promise<string> {
  return (await rowOf(page, name).locator(`td[data-label="${column}"]`).innerText()).split('\n')[0] ?? ''
}

/** Watches the row, without reloading, until it has the status. */
export async function untilStatus(page: Page, name: string, status: string): Promise<void> {
  await rowOf(page, name).getByText(status, { exact: true }).waitFor()
}

/** Proves that live updates worked: the page was not reloaded since `mark`. */
export async function mark(page: Page): Promise<() => Promise<void>> {
  const isSame = () => page.evaluate(() => document.documentElement.dataset['mark'])
  await page.evaluate(() => void (document.documentElement.dataset['mark'] = 'same'))
  return async () => expect(await isSame(), 'the page was not loaded again').toBe('same')
}
