/** Scans from the end: `/\/+$/` would start over at each slash of a long row. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}
