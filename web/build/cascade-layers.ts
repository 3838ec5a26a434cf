import type { Plugin } from 'vite'

/** Mantine's components of which others are made: `Menu` styles its items over UnstyledButton's, `Checkbox` its hint over Input's. */
const foundations = /\/styles\/(Input|Loader|Overlay|Paper|ScrollArea|UnstyledButton)\.css$/
/** Made of these, and themselves parts of others: `Modal` of ModalBase. */
const compounds = /\/styles\/(ActionIcon|CloseButton|InlineInput|ModalBase|Popover)\.css$/

/**
 * The cascade's layers, each of which wins over those before it. What is in none wins over all: tokens, and the little of global.css that must.
 * `base`: elements; `foundations`, `compounds`, `mantine`: Mantine's components; `parts`: the console's own, of web/src/components/ui; `components`: those
 * made of them; `screens`: what a screen or the shell changes of all these.
 */
const layers = ['base', 'foundations', 'compounds', 'mantine', 'parts', 'components', 'screens'] as const
type Layer = (typeof layers)[number]

/** Null: the file names its layers itself, or needs none. */
function layerOf(file: string): Layer | null {
  if (file.includes('/node_modules/@mantine/')) {
    if (/\/styles\/(default-css-variables|baseline|global)\.css$/.test(file)) return 'base'
    if (foundations.test(file)) return 'foundations'
    return compounds.test(file) ? 'compounds' : 'mantine'
  }
  if (/\/web\/src\/components\/ui\//.test(file)) return 'parts'
  if (/\/web\/src\/components\//.test(file)) return 'components'
  return /\/web\/src\/(screens|shell|design)\//.test(file) ? 'screens' : null
}

/** The order, for whichever file comes first. */
const orderOfLayers = `@layer ${layers.join(', ')};`

/**
 * Puts every style sheet into its layer. A screen's sheets come in the page or later, into the body or the head, so their order says nothing: without
 * layers, what came last won.
 */
export function cascadeLayers(): Plugin {
  return {
    name: 'ghanti:cascade-layers',
    enforce: 'pre',
    transform: {
      filter: { id: /\.css$/ },
      handler(code, id) {
        const layer = layerOf(id)
        return {
          code: layer === null ? `${orderOfLayers}\n${code}` : `${orderOfLayers}\n@layer ${layer} {\n${code}\n}`,
          map: null,
        }
      },
    },
  }
}
