import { timeouts } from '../../../scripts/timeouts.ts'

/** For `vi.waitFor`, whose default timeout is a second, and where Playwright waits. */
export const polling = { ...timeouts.expect.poll, interval: 50 }
