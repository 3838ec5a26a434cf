import { execFileSync } from 'node:child_process'
import * as path from 'node:path'

/** The tag of tests that only `npm run test:all` runs. A whole file has it in its first line: `// @module-tag exhaustive`. */
export const exhaustive = 'exhaustive'

/** Files of which every test is exhaustive. Vitest would load each of them, with its databases and dialers, before it leaves out their tests. */
export function exhaustiveFiles(root: string): string[] {
  const mark = `^// @module-tag ${exhaustive}$`
  const git = ['grep', '-l', '--untracked', '-e', mark, '--', '*.test.ts', '*.test.tsx']
  const files = execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim().split('\n')
  return files.map((file) => path.join(root, file))
}
