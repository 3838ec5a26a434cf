import { join } from 'node:path'
import { screenFile, screens } from '../src/paths.ts'
import { textsFile } from './preloads.ts'
import { soonGroups } from './soon.ts'

const web = join(import.meta.dirname, '..')

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null }

/** The largest screens, which share most. Each has a chunk of its own, each two that share something, and all of them together. */
const campaigns = [
  '/add-voice-campaign',
  '/add-sms-campaign',
  '/voice-campaign-summary',
  '/voice-campaign-summary/:campaignId',
]
/** What screens with a form import. */
const form = join(web, 'src/components/form/server-errors.ts')
/** A module that fewer forms need would cost the others too much. */
const formsMin = 12

/**
 * Puts what the same screens need before their first paint into one file. Left to itself the bundler makes a file for every set of parts that
 * share a module, and a part that loads later counts as much as a screen: compose was 64 files, which a browser fetches six at a time.
 * A chunk imports only chunks that all its own screens load anyway, so no two import each other.
 */
export function chunkNames(): (id: string, graph: Graph) => string | null {
  let pagesOf: Map<string, Set<string>> | null = null
  let soonOf: Map<string, number[]> | null = null
  return (id, graph) => {
    pagesOf ??= pagesByModule(graph)
    soonOf ??= soonByModule(graph)
    const pages = pagesOf.get(id)
    if (!pages) return soonName(soonOf.get(id))
    const own = campaigns.filter((page) => pages.has(page))
    if (own.length === pages.size) return `campaigns-${own.length > 2 ? 'all' : own.map(numberOf).join('-')}`
    const forms = pagesOf.get(form)
    return pages.size >= formsMin && forms && pages.isSubsetOf(forms) ? 'form' : null
  }
}

const numberOf = (page: string) => campaigns.indexOf(page)

/** The screens that need each module before their first paint. */
function pagesByModule(graph: Graph): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const line of screens) {
    const entries = [screenFile(line), ...line.texts.map(textsFile)].map((file) => join(web, file))
    for (const id of importedBy(entries, graph)) found.set(id, (found.get(id) ?? new Set()).add(line.path))
  }
  return found
}

/** Which groups of parts that load a little later (soon.ts) need each module. */
function soonByModule(graph: Graph): Map<string, number[]> {
  const found = new Map<string, number[]>()
  // Each part that is asked for is a file in any case: put with others it would be one more that only leads there.
  const starts = new Set(soonGroups.flat().map((file) => join(web, file)))
  soonGroups.forEach((parts, index) => {
    const files = parts.map((file) => join(web, file))
    for (const id of importedBy(files, graph)) if (!starts.has(id)) found.set(id, [...(found.get(id) ?? []), index])
  })
  return found
}

/** What every page needs soon is needed by the others anyway. */
function soonName(groups: number[] | undefined): string | null {
  if (!groups) return null
  return groups[0] === 0 ? 'soon' : `soon-${groups.join('-')}`
}

/** Of packages only the icons: what an index of a package exports is not what its importer needs. */
function importedBy(entries: readonly string[], graph: Graph): Set<string> {
  const seen = new Set<string>()
  const visit = (id: string): void => {
    if (seen.has(id)) return
    seen.add(id)
    const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
    for (const imported of importedIds) {
      if (!imported.includes('node_modules')) visit(imported)
      else if (imported.endsWith(iconsIndex))
        for (const name of iconsIn(code ?? '')) seen.add(imported.replace(iconsIndex, `/icons/${name}.mjs`))
    }
  }
  entries.forEach(visit)
  return seen
}

const iconsIndex = '/tabler-icons-react.mjs'

/** The names between the braces of its import. */
function iconsIn(code: string): string[] {
  const names = /import \{([^{}]+)\} from ["']@tabler/.exec(code)?.[1] ?? ''
  return names.split(',').map((name) => name.trim())
}
