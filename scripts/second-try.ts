/** Finds the test files that failed in a run of Vitest, so that they can be run again alone. */
import { existsSync, readFileSync, rmSync } from 'node:fs'

export type Failed = {
  file: string
  /** Full names of the tests; empty when the file failed outside its tests. */
  tests: string[]
}

type Report = {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Reads Vitest's JSON report and deletes it, so that no later run mistakes it for its own. Empty when the run wrote none. */
export function failedIn(report: string): Failed[] {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  rmSync(report)
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({
      file: name,
      tests: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    }))
}
