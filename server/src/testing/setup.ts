import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { afterAll, expect } from 'vitest'
import { cleanUp } from './cleanup.ts'

// For `npm test -- --times`: scripts/times-reporter.ts.
const { TEST_TIMES: times } = process.env
const { testPath } = expect.getState()
if (times && testPath) writeFileSync(path.join(times, String(process.pid)), testPath)

afterAll(cleanUp)
