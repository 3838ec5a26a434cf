import tlds from 'tlds' with { type: 'json' }
import { skeletonOf } from './skeleton.ts'

const endings = new Set(tlds.map((ending) => skeletonOf(ending).toLowerCase()))
/** Endings that stand alone as well: 'win. com', but not 'Thank you. Me too'. */
const commonEndings = new Set(['com', 'net', 'org', 'info', 'biz', 'xyz', 'np', 'bet', 'io'])
/** Degrees and companies, which end like addresses. */
const abbreviations = new Set(
  ['sc', 'com', 'tech', 'ed', 'arch', 'pharm'].flatMap((of) => [`b.${of}`, `m.${of}`]).concat('p.ltd', 'co.ltd'),
)

/** Whether a skeleton could be read as an address of the web or of mail: also a short one ('1x.bet'), with 'dot' for its full stop, or by number. */
export function hasAddress(skeleton: string): boolean {
  const text = skeleton.toLowerCase().replaceAll('d0t', 'dot')
  if (!/[./\\@:[({<]|dot|www|hxxp|xn--|डट/.test(text)) return false
  if (/[@\\]|www|https?:|hxxp|xn--|::|[[({<] ?(?:\.|dot) ?[\])}>]/.test(text)) return true
  if (/डट ?कम|डट ?नेट/.test(text) || isSpoken(text)) return true
  const words = text.split(/\s+/)
  if (words.some((word) => word.includes('/') && !isFigures(word))) return true
  return (
    words.some((word) => fullStopWithin.test(word) && [word, ...word.split(aroundHosts)].some(isHost)) ||
    isSpaced(words)
  )
}

const fullStopWithin = /\.[^.]/
const aroundHosts = /[^\p{L}\p{M}\p{N}_.-]+/u

/** 'win dot com' and 'windotcom'. */
function isSpoken(text: string): boolean {
  if (!text.includes('dot')) return false
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u)
  return words.some((word, at) => {
    if (word === 'dot') return at > 0 && endings.has(words[at + 1] ?? '')
    const [name, ending] = [word.slice(0, word.lastIndexOf('dot')), word.slice(word.lastIndexOf('dot') + 3)]
    return word.includes('dot') && (name !== '' || at > 0) && commonEndings.has(ending)
  })
}

/** '2083/05/01', '1/2' and '500/-'. */
const isFigures = (word: string): boolean => /^[^\p{L}\d]*\d[^\p{L}]*$/u.test(word.replace(/^(?:rs|npr|रु|रू)\.?/, ''))

/** 'K.B.Thapa' and '1,250.50' may contain full stops; 'win.example', '9x.com' and '103.21.244.9' are addresses. */
function isHost(word: string): boolean {
  const labels = word.split('.').filter((label) => label !== '')
  if (labels.length < 2) return false
  if (endings.has(labels.at(-1) ?? '') && !abbreviations.has(labels.join('.'))) return true
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) <= 255)) return true
  return labels.some((label, at) => {
    const next = labels[at + 1]
    if (next === undefined || label.length < 3 || (isFigure(label) && isFigure(next))) return false
    return (label.match(/[\p{L}\p{N}]/gu) ?? []).length > 2
  })
}

const isFigure = (label: string): boolean => /^[^\p{L}]+$/u.test(label)

/** '9x .com', '9x . com' and 'win. com', but not 'K. Dev'. */
function isSpaced(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const before = words[at - 1] ?? ''
    const isParted = (at > 0 && word.startsWith('.')) || (at > 1 && before === '.') || /..\.$/.test(before)
    return isParted && commonEndings.has(word.replaceAll(/[^a-z]/g, ''))
  })
}
