import { join } from 'node:path'
import { screenFile, screens } from '../src/paths.ts'
import { textsFile } from './preloads.ts'
import { dashboards, soonGroups } from './soon.ts'

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
 * Puts what the same screens need before their first paint, and the same parts soon after it (soon.ts), into one file. Left to itself the bundler
 * makes a file for every set of parts that share a module, and a part that loads later counts as much as a screen: the dashboard was 67 files of
 * mostly two to five hundred bytes, which a browser fetches six at a time.
 * A chunk imports only chunks that all its own screens load anyway, so no two import each other.
 */
export function chunkNames(): (id: string, graph: Graph) => string | null {
  let pagesOf: Map<string, Set<string>> | null = null
  let soonOf: Map<string, number[]> | null = null
  return (id, graph) => {
    pagesOf ??= pagesByModule(graph)
    soonOf ??= soonByModule(graph)
    const pages = pagesOf.get(id)
    const soon = soonOf.get(id)
    if (!pages) return soonName(soon)
    const own = campaigns.filter((page) => pages.has(page))
    const later = soon ? `-soon-${whoSoon(soon)}` : ''
    if (own.length === pages.size) return `campaigns-${own.length > 2 ? 'all' : own.map(numberOf).join('-')}${later}`
    if (soon?.[0] === everyPage && pages.size <= (isIcon(id) ? 2 : 5) && leaves.test(id))
      return isIcon(id) ? 'signs' : 'wire'
    const forms = pagesOf.get(form)
    if (pages.size >= formsMin && forms && pages.isSubsetOf(forms)) return 'form'
    return `pages-${[...pages].map((page) => screens.findIndex(({ path }) => path === page)).join('-')}${later}`
  }
}

const numberOf = (page: string) => campaigns.indexOf(page)

/** The screens that need each module before their first paint. */
function pagesByModule(graph: Graph): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (path: string, files: readonly string[]) => {
    const entries = files.map((file) => join(web, file))
    for (const id of importedBy(entries, graph)) found.set(id, (found.get(id) ?? new Set()).add(path))
  }
  for (const line of screens) add(line.path, [screenFile(line), ...line.texts.map(textsFile)])
  add('login', ['src/screens/auth/LoginScreen.tsx', textsFile('auth')])
  return found
}

/** The first of soonGroups. */
const everyPage = 0
const isIcon = (id: string) => id.includes(iconsPackage)
/** What imports nothing but packages and others of its kind: wherever it is, no two files import each other. */
const leaves = /\/contract\/src\/|@tabler\/icons-react\//

/** Which groups of parts that load a little later (soon.ts) need each module. */
function soonByModule(graph: Graph): Map<string, number[]> {
  const found = new Map<string, number[]>()
  soonGroups.forEach((parts, index) => {
    const files = parts.map((file) => join(web, file))
    for (const id of importedBy(files, graph)) found.set(id, [...(found.get(id) ?? []), index])
  })
  return found
}

/** What every page needs soon is needed by the others anyway, and the dashboards count as one. */
function whoSoon(groups: readonly number[]): string {
  if (groups[0] === everyPage) return 'all'
  return [...new Set(groups.map((group) => (dashboards.has(group) ? 'dashboards' : group)))].join('-')
}

/** Of what no page needs before its first paint; the dashboards of the three roles have most in common. */
function soonName(groups: number[] | undefined): string | null {
  if (!groups) return null
  if (groups[0] === everyPage) return 'soon'
  const isShared = groups.length > 1 && groups.every((group) => dashboards.has(group))
  return isShared ? 'soon-dashboards' : `soon-${groups.join('-')}`
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

const iconsPackage = '@tabler/icons-react/'
const iconsIndex = '/tabler-icons-react.mjs'

/** The names between the braces of its import. */
function iconsIn(code: string): string[] {
  const names = /import \{([^{}]+)\} from ["']@tabler/.exec(code)?.[1] ?? ''
  return names.split(',').map((name) => name.trim())
}
