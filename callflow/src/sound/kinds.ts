/** Kinds of sound files that people send, by what is in them. */
import { ownValue } from '@ghanti/contract/own-values.ts'
import { fourCc, isWav } from './riff.ts'

/** `name`: as people know it; `type`: its MIME type, with the coding where that decides who can read it. */
export type SoundKind = { name: string; type: string }

/** What a file says in its first bytes (a container's coding: wherever the container has it); null when it is no known sound. */
export function soundKindOf(bytes: Uint8Array): SoundKind | null {
  if (isWav(bytes)) return { name: 'wav', type: 'audio/wav' }
  const magic = fourCc(bytes, 0)
  if (fourCc(bytes, 4) === 'ftyp') return mp4KindOf(bytes)
  if (magic.startsWith('ID3')) return kinds.mp3
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0) return kinds.aac
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0) return kinds.mp3
  return ownValue(kindOfMagic, magic) ?? null
}

const kinds = {
  mp3: { name: 'mp3', type: 'audio/mpeg' },
  aac: { name: 'aac', type: 'audio/aac' },
}

const kindOfMagic: Readonly<Record<string, SoundKind>> = {
  OggS: { name: 'ogg', type: 'audio/ogg' },
  fLaC: { name: 'flac', type: 'audio/flac' },
  '#!AM': { name: 'amr', type: 'audio/amr' },
  FORM: { name: 'aiff', type: 'audio/aiff' },
  caff: { name: 'caf', type: 'audio/x-caf' },
  RIFX: { name: 'RIFX', type: 'audio/wav (big-endian)' },
  riff: { name: 'Wave64', type: 'audio/x-w64' },
  '0&²u': { name: 'wma', type: 'audio/x-ms-wma' },
  '\u001aE\u00df\u00a3': { name: 'webm', type: 'audio/webm' },
}

/** What a container of the MP4 family holds, where it is not the usual AAC. */
const codings: Readonly<Record<string, string>> = {
  alac: 'ALAC',
  samr: 'AMR',
  sawb: 'AMR-WB',
  sawp: 'AMR-WB+',
  fLaC: 'FLAC',
  Opus: 'Opus',
  'ac-3': 'Dolby AC-3',
  'ec-3': 'Dolby E-AC-3',
}

function mp4KindOf(bytes: Uint8Array): SoundKind {
  const brand = fourCc(bytes, 8)
  const is3gp = brand.startsWith('3g')
  const coding = ownValue(codings, mp4CodingOf(bytes) ?? '')
  const name = is3gp ? '3gp' : 'm4a'
  const type = is3gp ? (brand.startsWith('3g2') ? 'audio/3gpp2' : 'audio/3gpp') : 'audio/mp4'
  return coding ? { name: `${name} (${coding})`, type: `${type} (${coding})` } : { name, type }
}

/** How deep the boxes lie, and what comes before their first part. */
const pathToCoding = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'] as const
const headOfDescriptions = 8

/** The four letters of the first track's coding; null when they are not there. */
function mp4CodingOf(bytes: Uint8Array): string | null {
  let [from, to] = [0, bytes.length]
  for (const name of pathToCoding) {
    const box = boxIn(bytes, from, to, name)
    if (!box) return null
    ;[from, to] = [box.from, box.to]
  }
  const coding = fourCc(bytes, from + headOfDescriptions + 4)
  return coding.length === 4 ? coding : null
}

function boxIn(bytes: Uint8Array, from: number, to: number, name: string): { from: number; to: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = from; at + 8 <= to;) {
    const isLong = view.getUint32(at) === 1 && at + 16 <= to
    const head = isLong ? 16 : 8
    // A size of 0 means: to the end.
    const size = isLong ? view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12) : view.getUint32(at) || to - at
    if (fourCc(bytes, at + 4) === name) return { from: at + head, to: Math.min(to, at + size) }
    if (size < head) return null
    at += size
  }
  return null
}
