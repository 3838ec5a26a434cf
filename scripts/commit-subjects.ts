/** Rules for commits' subjects since the last tag (CONTRIBUTING.md, Commits). */
import { spawnSync } from 'node:child_process'
import * as path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const lengthMax = 72
/** How many are checked without a tag. A shallow clone has fewer. */
const withoutTag = 100

/** 'Adds', 'Added' and 'Adding', but not 'Address', 'Embed' and 'Bring'. */
const notImperative = /^(?!Embed |Feed |Need |Speed |Bring |Ping |Ring |String )\w+(?:[^aeiou]s|es|ed|ing) /
const endsInS = /^(?:\w+ss|Focus|Bias) /

/** Null when the subject is accepted. */
export function subjectFault(subject: string): string | null {
  if (subject.length > lengthMax) return `has ${subject.length} characters, at most ${lengthMax} are allowed`
  if (!/^\p{Lu}/u.test(subject)) return 'must begin with a capital letter'
  if (subject.endsWith('.')) return 'must not end with a full stop'
  if (notImperative.test(subject) && !endsInS.test(subject)) return 'must be imperative: Add, not Added, Adds or Adding'
  return null
}

/** Newest first; empty where there is no history. */
export function subjects(folder: string = root): string[] {
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.trim() : null
  }
  const tag = git('describe', '--tags', '--abbrev=0')
  const range = tag === null ? ['-n', String(withoutTag)] : [`${tag}..HEAD`]
  return (git('log', '--no-merges', '--format=%s', ...range) ?? '').split('\n').filter((subject) => subject !== '')
}
