import { lexicon, type LexiconWord } from '@ghanti/callflow/speech/lexicon.ts'
import type { Calendar, Language, SpokenKind } from '@ghanti/contract/templates.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { VoiceCoverage, VoicePackDetail, VoicePackRow, VoicePackWord } from '@ghanti/contract/voices.ts'
import type { Viewer } from '../../policy.ts'
import type { Pack, Recorded } from './store.ts'

/** Super admins share the platform's packs; every other account has its own. */
export function ownerIdOf(viewer: Viewer): number | null {
  return viewer.role === 'superAdmin' ? null : viewer.userId
}

export function isOwn(viewer: Viewer, pack: { owner_id: number | null }): boolean {
  return pack.owner_id === ownerIdOf(viewer)
}

export function rowOf(pack: Pack, viewer: Viewer): VoicePackRow {
  return {
    packId: pack.id,
    name: pack.name,
    language: pack.language,
    username: pack.username,
    approvedWords: pack.approved,
    pendingWords: pack.pending,
    allWords: lexicon[pack.language].length,
    rejectReason: pack.reject_reason,
    createdAt: nepalTimeOf(pack.created_at),
    isOwn: isOwn(viewer, pack),
  }
}

export function detailOf(pack: Pack, recorded: readonly Recorded[], viewer: Viewer): VoicePackDetail {
  const words = wordsWith(pack.language, recorded)
  return { ...rowOf(pack, viewer), change: pack.change_no, words, coverage: coverageOf(words) }
}

function wordsWith(language: Language, recorded: readonly Recorded[]): VoicePackWord[] {
  const byKey = new Map(recorded.map((word) => [word.key, word]))
  return lexicon[language].map(({ key, word, kinds, calendar }) => ({
    key,
    word,
    kinds: [...kinds],
    calendar,
    durationMs: byKey.get(key)?.duration_ms ?? null,
    pendingMs: byKey.get(key)?.pending_ms ?? null,
  }))
}

/** What packs can say; names and services have no fixed vocabulary. */
const covered: readonly { kind: SpokenKind; calendar: Calendar | null }[] = [
  { kind: 'amount', calendar: null },
  { kind: 'date', calendar: 'bs' },
  { kind: 'date', calendar: 'ad' },
  { kind: 'month', calendar: null },
  { kind: 'token', calendar: null },
]

function isNeeded(word: Pick<LexiconWord, 'kinds' | 'calendar'>, kind: SpokenKind, calendar: Calendar | null): boolean {
  return word.kinds.includes(kind) && (kind !== 'date' || word.calendar === null || word.calendar === calendar)
}

function coverageOf(words: readonly VoicePackWord[]): VoiceCoverage[] {
  return covered.map(({ kind, calendar }) => {
    const needed = words.filter((word) => isNeeded(word, kind, calendar))
    return {
      kind,
      calendar,
      words: needed.length,
      approved: needed.filter((word) => word.durationMs !== null).length,
      missing: needed.filter((word) => word.durationMs === null && word.pendingMs === null).length,
    }
  })
}

/** The keys a pack needs to say every value of a kind; null when no pack can. */
export function neededKeys(language: Language, kind: SpokenKind, calendar: Calendar): string[] | null {
  const needed = lexicon[language].filter((word) => isNeeded(word, kind, calendar))
  return needed.length === 0 ? null : needed.map(({ key }) => key)
}

/** Identifies a pack at one revision, so that other recordings have another key. */
export function keyOfPack({ packId, revision }: { packId: number; revision: number }): string {
  return `pack ${packId} revision ${revision}`
}

export function packOfKey(key: string): { packId: number; revision: number } | undefined {
  const [, packId, revision] = (/^pack (\d+) revision (\d+)$/.exec(key) ?? []).map(Number)
  return packId === undefined || revision === undefined ? undefined : { packId, revision }
}

export function keyOfWord(language: Language, word: string): string | undefined {
  return lexicon[language].find((entry) => entry.word === word)?.key
}

/** The word that a file's name means: its key or the word itself, ignoring case, with Devanagari digits allowed. */
export function wordOfFile(language: Language, fileName: string): LexiconWord | undefined {
  const name = bareName(fileName)
  return lexicon[language].find(({ key, word }) => key === name || word.toLowerCase() === name)
}

function bareName(fileName: string): string {
  return fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .replace(/\.wav$/i, '')
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
}

export function wordListRows(language: Language): string[][] {
  const calendars = { ad: 'AD', bs: 'BS' }
  return lexicon[language].map(({ key, word, kinds, calendar }) => [
    `${key}.wav`,
    word,
    kinds.join(' '),
    calendar === null ? '' : calendars[calendar],
  ])
}
export const wordListHeader = ['file', 'word', 'needed for', 'calendar']
