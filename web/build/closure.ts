export type ViteManifest = Record<
  string,
  { file: string; src?: string; css?: string[]; imports?: string[]; assets?: string[] }
>
export type Loads = { js: string[]; css: string[] }

/** Everything that must arrive before these modules run: they, their static imports, and the styles of each. */
export function closureOf(manifest: ViteManifest, modules: readonly string[]): Loads {
  const seen = new Set<string>()
  const js = new Set<string>()
  const css = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`web/src/paths.ts names ${key}, which is not in the build`)
    chunk.imports?.forEach(visit)
    js.add(chunk.file)
    chunk.css?.forEach((file) => css.add(file))
  }
  modules.forEach(visit)
  return { js: [...js], css: [...css] }
}
