/** Every question that no specification words has a verb before its object and on its button: 'Disable user2?'. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Questions and buttons that specification 1 §4 and specification 2 §2 give: stop, pause, resume and retry a campaign, and Call Now. */
const specified = [
  /voice-campaigns\/perform\.tsx$/,
  /voice-campaigns\/hold\/resume\.ts$/,
  /sms-campaigns\/actions\.tsx$/,
  /call-now\/ask-call-now\.ts$/,
]
/** Their title is a whole question. */
const whole = [/compose\/opened\/leave-guard\.ts$/]

const isPart = (file: string) => !/\.test\.tsx?$|^web\/src\/design\/|^web\/src\/components\/ui\/dialogs\//.test(file)
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'web/src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && isPart(file))

/** The argument of each call of `confirm`, up to its closing bracket. */
function questionsIn(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  return [...source.matchAll(/\bconfirm\(\{/g)].map(({ index }) => {
    let depth = 0
    for (let at = source.indexOf('{', index); at < source.length; at += 1) {
      if (source[at] === '{') depth += 1
      if (source[at] === '}') depth -= 1
      if (depth === 0) return source.slice(index, at + 1)
    }
    throw new Error(`${file}: a question that does not end`)
  })
}
const asked = files.flatMap((file) => questionsIn(file).map((text) => ({ file, text })))

test('the questions are found', () => expect(asked.length).toBeGreaterThan(40))

test('every question has the verb that its title begins with and its button says, but for those of the specifications', () => {
  const without = asked.filter(({ file, text }) => !/\n?\s*verb[:,]/.test(text) && !whole.some((is) => is.test(file)))
  expect(without.filter(({ file }) => !specified.some((is) => is.test(file))).map(({ file }) => file)).toEqual([])
})

test('the buttons of a form stand at the right, the one that sends it last', () => {
  const wrong = files.filter((file) => {
    const blocks = readFileSync(file, 'utf8').matchAll(/<div className=\{(?:layout|classes)\.buttons\}>([^]*?)<\/div>/g)
    return [...blocks].some(([, block = '']) => {
      const send = block.indexOf('type="submit"')
      return send >= 0 && block.indexOf('<Button', send) >= 0
    })
  })
  expect(wrong).toEqual([])
  expect(readFileSync('web/src/components/form/Form.module.css', 'utf8')).toMatch(
    /\.buttons \{[^}]*justify-content: flex-end/,
  )
})
