import type { TestProject } from 'vitest/node'
import { startTestPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Connects to the tests' server as its superuser, with `template` in place of the database's name. */
    templateUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres()
  project.provide('templateUrl', postgres.url(postgres.template))
  return () => postgres.stop()
}
