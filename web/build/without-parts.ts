import type { Plugin } from 'vite'

/** What the console does not use of its packages, but what it uses brings along, as `Button` brings `Button.GroupSection`: the end of each file, and its exports. */
const unused: Readonly<Record<string, readonly string[]>> = {
  'Button/ButtonGroupSection/ButtonGroupSection.mjs': ['ButtonGroupSection'],
  'ActionIcon/ActionIconGroup/ActionIconGroup.mjs': ['ActionIconGroup'],
  'ActionIcon/ActionIconGroupSection/ActionIconGroupSection.mjs': ['ActionIconGroupSection'],
  'Loader/loaders/Bars.mjs': ['Bars'],
  'Loader/loaders/Dots.mjs': ['Dots'],
  'query-core/build/modern/infiniteQueryBehavior.js': ['infiniteQueryBehavior', 'hasNextPage', 'hasPreviousPage'],
}
const files = Object.keys(unused)

/** In the build each export of these files is a function that says where to look when somebody calls it after all. */
export function withoutParts(): Plugin {
  return {
    name: 'ghanti:without-parts',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const file = files.find((end) => id.endsWith(`/${end}`))
      return file === undefined ? null : (unused[file] ?? []).map(saysSo).join('\n')
    },
  }
}

const saysSo = (name: string) =>
  `export function ${name}() { throw new Error('web/build/without-parts.ts leaves out ${name}') }`
