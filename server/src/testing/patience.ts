import { patience } from '../../../scripts/patience.ts'

/** For `vi.waitFor`, whose default timeout is a second, and where Playwright waits. */
export const patient = { ...patience.expect.poll, interval: 50 }
