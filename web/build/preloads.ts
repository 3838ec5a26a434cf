import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { roles, type Role } from '../../contract/src/roles.ts'
import { screenFile, screens } from '../src/paths.ts'
import { closureOf, type Loads, type ViteManifest } from './closure.ts'
import { dataOn, soonOn } from './soon.ts'

type Soon = Loads & { data: string[] }

/**
 * web/dist/preloads.json: what each page needs before its first paint, so that the server can link it in the head. `path` is a pattern of
 * src/paths.ts; file names are relative to web/dist; every page needs `fonts`. `soon`: what it shows at once but loads later, with the addresses of its first requests
 * (soon.ts).
 */
export type Preloads = {
  signedOut: Loads
  screens: ({ path: string; soon: Record<Role, Soon> } & Loads)[]
  fonts: string[]
}

const web = join(import.meta.dirname, '..')

/** Area voiceCampaigns has its texts in voice-campaigns.ts. */
export function textsFile(area: string): string {
  return `src/i18n/en/${area.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.ts`
}

/** Also fails the build when src/paths.ts names a missing screen. */
export function preloads(): Plugin {
  let outDir = ''
  return {
    name: 'ghanti:preloads',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async writeBundle(_options, bundle) {
      const written = JSON.parse(await readFile(join(outDir, '.vite/manifest.json'), 'utf8')) as ViteManifest
      const manifest = withModules(written, bundle)
      const found: Preloads = {
        signedOut: closureOf(manifest, ['index.html', 'src/screens/auth/LoginScreen.tsx', textsFile('auth')]),
        screens: screens.map((line) => {
          const first = closureOf(manifest, [
            'index.html',
            'src/SignedIn.tsx',
            screenFile(line),
            ...line.texts.map(textsFile),
          ])
          const soon = (role: Role) => ({
            ...without(closureOf(manifest, soonOn(line.path, role)), first),
            data: dataOn(line.path, role),
          })
          return { path: line.path, ...first, soon: soonOfRoles(soon) }
        }),
        fonts: Object.values(manifest).flatMap(({ file }) =>
          /inter-latin-wght-normal|language-sign/.test(file) ? [file] : [],
        ),
      }
      await writeFile(join(outDir, 'preloads.json'), JSON.stringify(found, null, 1))
    },
  }
}

/** The manifest names chunks by what begins them. A part that is in a chunk with others is a name of that chunk, too. */
function withModules(manifest: ViteManifest, bundle: Rolldown.OutputBundle): ViteManifest {
  const named = { ...manifest }
  const chunkOf = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]))
  for (const output of Object.values(bundle)) {
    const chunk = chunkOf.get(output.fileName)
    if (output.type !== 'chunk' || !chunk) continue
    for (const id of output.moduleIds) named[relative(web, id)] ??= chunk
  }
  return named
}

function without({ js, css }: Loads, first: Loads): Loads {
  return { js: js.filter((file) => !first.js.includes(file)), css: css.filter((file) => !first.css.includes(file)) }
}

function soonOfRoles(soon: (role: Role) => Soon): Record<Role, Soon> {
  const [user, reseller, superAdmin] = roles
  return { user: soon(user), reseller: soon(reseller), superAdmin: soon(superAdmin) }
}
