/** Reads Vitest's reports: which test files failed, so that they can be run again alone, and how long each took. */
import { existsSync, readFileSync, rmSync } from 'node:fs'

export type Failed = {
  file: string
  /** Full names of the tests; empty when the file failed outside its tests. */
  tests: string[]
  /** What was wrong: the first line of each message. */
  why: string[]
}

type Report = {
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

export type Summary = { failed: Failed[]; files: { file: string; seconds: number }[] }

/** Reads Vitest's JSON report and deletes it, so that no later run mistakes it for its own. Empty when the run wrote none. */
export function readReport(report: string): Summary {
  if (!existsSync(report)) return { failed: [], files: [] }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(report)
  const files = testResults.map(({ name, startTime, endTime }) => ({
    file: name,
    seconds: Math.round((endTime - startTime) / 1000),
  }))
  return { failed: failuresOf(testResults), files }
}

function failuresOf(testResults: Report['testResults']): Failed[] {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const messages = failed.length > 0 ? failed.flatMap(({ failureMessages }) => failureMessages) : [message]
      return {
        file: name,
        tests: failed.map(({ fullName }) => fullName),
        why: messages.map((text) => text.split('\n', 1)[0]?.slice(0, 300) ?? ''),
      }
    })
}
