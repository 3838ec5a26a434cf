import type { Browser, CDPSession, Page } from 'playwright-core'
import { isBlank } from './frame.ts'

/**
 * `latencyMs` delays each answer; a connection costs nothing more. Networks are Lighthouse's (its constants.js) without the factor by which it
 * lengthens them for DevTools; slow 3G is WebPageTest's.
 */
export type Profile = {
  name: string
  network: { latencyMs: number; downKbps: number; upKbps: number }
  cpuSlower: number
  viewport: { width: number; height: number }
  /** Examines each painted frame, which is worth its cost only on slow networks. */
  watchFrames?: true
}
const desktop = { width: 1350, height: 940 }
const phone = { width: 412, height: 823 }
const slow4G = { latencyMs: 150, downKbps: 1638.4, upKbps: 750 }
export const profiles = {
  desktop: {
    name: 'desktop',
    network: { latencyMs: 40, downKbps: 10_240, upKbps: 10_240 },
    cpuSlower: 1,
    viewport: desktop,
  },
  phone: { name: '4x CPU, slow 4G', network: slow4G, cpuSlower: 4, viewport: phone },
  slow3G: {
    name: 'slow 3G',
    network: { latencyMs: 400, downKbps: 400, upKbps: 400 },
    cpuSlower: 4,
    viewport: phone,
    watchFrames: true,
  },
} as const satisfies Record<string, Profile>

/** In milliseconds since the navigation began; `cls` has no unit. `whiteMs`: until a frame had more than one colour; null when not watched. */
export type Load = {
  firstPaintMs: number
  lcpMs: number
  contentMs: number
  cls: number
  whiteMs: number | null
  lcpOf: string
}

type Seen = { lcpMs: number; lcpOf: string; cls: number; contentMs: number }

/** Runs in the page before its scripts. Layout shifts are summed by session windows, as CLS is defined. */
function observe(content: string): void {
  const seen: Seen = { lcpMs: 0, lcpOf: '', cls: 0, contentMs: 0 }
  Object.assign(window, { seen })
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean }
  let [session, first, last] = [0, 0, 0]
  new PerformanceObserver((list) => {
    for (const { startTime, value, hadRecentInput } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue
      const goesOn = startTime - last < 1000 && startTime - first < 5000
      session = goesOn ? session + value : value
      first = goesOn ? first : startTime
      last = startTime
      seen.cls = Math.max(seen.cls, session)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { element: Element | null })[]) {
      seen.lcpMs = entry.startTime
      const { element } = entry
      seen.lcpOf = element ? `<${element.tagName.toLowerCase()}> ${element.textContent.slice(0, 40)}` : '(gone)'
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const look = (): void => {
    if (document.querySelector(content)) seen.contentMs = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function throttle(cdp: CDPSession, { network, cpuSlower }: Profile): Promise<void> {
  const bytesPerSecond = (kbps: number) => (kbps * 1024) / 8
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latencyMs,
    downloadThroughput: bytesPerSecond(network.downKbps),
    uploadThroughput: bytesPerSecond(network.upKbps),
  })
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlower })
}

/** When each frame was painted, in milliseconds since 1970, and whether it had a single colour. */
async function framesOf(cdp: CDPSession): Promise<{ at: number; blank: boolean }[]> {
  const frames: { at: number; blank: boolean }[] = []
  cdp.on('Page.screencastFrame', ({ data, sessionId, metadata }) => {
    frames.push({ at: (metadata.timestamp ?? 0) * 1000, blank: isBlank(Buffer.from(data, 'base64')) })
    void cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined) // the page may have closed
  })
  await cdp.send('Page.startScreencast', { format: 'png', maxWidth: 206, maxHeight: 412 })
  return frames
}

export type Visit = { address: string; path: string; content: string; signIn?: (page: Page) => Promise<void> }

/** A first visit with an empty cache. */
export async function loadOnce(browser: Browser, profile: Profile, visit: Visit): Promise<Load> {
  const context = await browser.newContext({ viewport: profile.viewport, baseURL: visit.address })
  try {
    const page = await context.newPage()
    await visit.signIn?.(page)
    const cdp = await context.newCDPSession(page)
    await page.addInitScript(observe, visit.content)
    await throttle(cdp, profile)
    const frames = profile.watchFrames ? await framesOf(cdp) : []
    await page.goto(visit.path, { timeout: 120_000 })
    await page.locator(visit.content).first().waitFor({ state: 'attached', timeout: 120_000 })
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined) // live events never end
    await page.waitForTimeout(500)
    const { seen, firstPaintMs, began } = await page.evaluate(() => ({
      seen: (window as unknown as { seen: Seen }).seen,
      firstPaintMs: performance.getEntriesByName('first-paint')[0]?.startTime ?? Number.NaN,
      began: performance.timeOrigin,
    }))
    const of = frames.filter(({ at }) => at >= began)
    const lastBlank = of.findLastIndex(({ blank }) => blank)
    const whiteMs = profile.watchFrames ? (of[lastBlank + 1]?.at ?? Number.NaN) - began : null
    return { ...seen, firstPaintMs, whiteMs }
  } finally {
    await context.close()
  }
}

export async function slowDown(page: Page, cpuSlower: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuSlower })
}
