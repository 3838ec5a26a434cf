import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What keeps its digits, besides what stands in translate="no": it is looked up, typed or somebody's own name. */
const codes = [
  'UTC\\+5:45|GSM-7|SHA-256|Q\\.850|SIP \\d{3}|SMPP 3\\.4|0x[0-9A-F]+|mp3|m4a|\\d\\.wav', // standards, files
  'https?://\\S+|\\d+\\.\\d+\\.\\d+\\.\\d+([:/]\\d+)?|8088|5060|5061|पोर्ट 80 र 443', // addresses
  '015970001@ims|RFC 4733|100rel|rfc4733|977\\d*|01-5970001|9841000001|09841000001|9801234500-9801234599|हटाएर 0 थप्दा', // examples of what is typed
  '07:00 जस्तो|24:00 भनेको|300 देखि 699, जस्तै 480|1 देखि 127, जस्तै 34',
  'user2|\\d+ s at Rs [\\d.]+|44600', // the demo's own names
  '^[०-९0-9]-[०-९0-9]$', // the choice itself
].join('|')

/**
 * Asserts that a Nepali page has digits of the chosen script alone, then chooses the other script as another tab of the browser would, and
 * asserts it again. What is open stays open.
 */
export async function expectOneScript(page: Page, what: string): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], [data-stale]'))
  const mixed = await page.evaluate(mixedIn, codes)
  expect(mixed, `all digits of “${what}” are of one script`).toEqual({})
}

/** What has digits of the other script, by the chosen one. */
async function mixedIn(exempt: string): Promise<Record<string, string[]>> {
  const key = 'ghanti-digits'
  const others = { devanagari: /[0-9]/, latin: /[\u0966-\u096f]/ }
  const codes = new RegExp(exempt, 'g')
  const apart = '[translate=no], script, style, kbd, textarea, #recharts_measurement_span'
  // A question stays in the language in which it was asked.
  const isAsked = (text: string, at: Element | null) =>
    /[A-Za-z]{3} [a-z]/.test(text) && !/[\u0900-\u097f]/.test(text) && at?.closest('[role=dialog]')
  const found = (other: RegExp) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = new Set<string>()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? '').trim().replace(codes, '')
      const at = node.parentElement
      if (other.test(text) && !at?.closest(apart) && !isAsked(text, at)) texts.add(text)
    }
    return [...texts]
  }
  const settled = async (other: RegExp) => {
    // What follows the choice in an effect comes a moment later.
    const until = performance.now() + 5000
    for (;;) {
      const texts = found(other)
      if (texts.length === 0 || performance.now() > until) return texts
      await new Promise((next) => setTimeout(next, 50))
    }
  }
  const scripts = ['devanagari', 'latin'] as const
  const mixed: Record<string, string[]> = {}
  // The chosen one first, as it came.
  for (const script of localStorage.getItem(key) === 'latin' ? scripts.toReversed() : scripts) {
    localStorage.setItem(key, script)
    dispatchEvent(new StorageEvent('storage', { key, newValue: script }))
    const texts = await settled(others[script])
    if (texts.length > 0) mixed[script] = texts
  }
  return mixed
}
