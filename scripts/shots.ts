/**
 * `npm run shots`: photographs every screen × role at four widths into test-results/shots, with a demo server that it starts and ends.
 * Options (language, theme and width are lists): --role user,reseller,superadmin,nobody  --screen /voice-files  --language en,ne  --theme
 * light,dark  --width 375,1280
 * `npm run shots -- --readme` takes README's two pictures alone, of a demo with its history; without options both are done.
 */
import { spawnSync } from 'node:child_process'
import * as path from 'node:path'
import { parseArgs } from 'node:util'
import { allLooks } from '../web/e2e/looks.ts'
import { takeReadmeShots } from './readme-shots.ts'

const root = path.resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    readme: { type: 'boolean', default: false },
    role: { type: 'string', default: '' },
    screen: { type: 'string', default: '' },
    language: { type: 'string', default: 'en' },
    theme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '375,768,1280,1440' },
  },
})
const asked = (list: string, value: string | number): boolean => list.split(',').includes(String(value))
const looks = allLooks.filter(
  ({ language, theme, width }) =>
    asked(values.language, language) && asked(values.theme, theme) && asked(values.width, width),
)
if (looks.length === 0) throw new Error('no such language, theme or width')

const folder = path.join(root, 'test-results/shots')
const run = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number =>
  spawnSync(path.join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status ?? 1
const isChosen = values.role !== '' || values.screen !== ''
const built = run('vite', ['build', 'web', '--logLevel', 'warn'])
if (built === 0 && (values.readme || !isChosen)) await takeReadmeShots()
const status =
  built ||
  (values.readme
    ? 0
    : run('vitest', ['run', '--project', 'e2e', 'web/e2e/screens.test.ts'], {
        SHOTS: JSON.stringify({ folder, looks }),
        SCREENS_ROLE: values.role,
        SCREENS_NAME: values.screen,
      }))
if (status === 0) process.stdout.write(`${values.readme ? path.join(root, 'docs') : folder}\n`)
process.exitCode = status
