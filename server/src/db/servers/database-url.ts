/** A database URL may name several servers, as libpq's does: postgres://login:password@one,two:5433/ghanti */

export type Server = { host: string; port: number }

const defaultPort = 5432

/** `url`: the same with its first server alone, which every other part of PostgreSQL's client can read. Null: no such URL. */
export function serversOf(databaseUrl: string): { servers: readonly [Server, ...Server[]]; url: string } | null {
  const scheme = /^postgres(ql)?:\/\//.exec(databaseUrl)?.[0]
  if (scheme === undefined) return null
  const rest = databaseUrl.slice(scheme.length)
  const end = rest.search(/[/?#]/)
  const authority = end === -1 ? rest : rest.slice(0, end)
  const at = authority.lastIndexOf('@') + 1
  const named = authority.slice(at).split(',')
  const servers = named.map(serverOf)
  const [first] = servers
  if (!first || servers.includes(null)) return null
  const url = scheme + authority.slice(0, at) + (named[0] ?? '') + rest.slice(authority.length)
  if (!URL.canParse(url)) return null
  return { servers: [first, ...servers.slice(1).filter((server) => server !== null)], url }
}

function serverOf(text: string): Server | null {
  const found = /^(\[[\da-fA-F:.]+\]|[^\s:[\]@]*)(?::(\d{1,5}))?$/.exec(text)
  if (!found) return null
  const [, name = '', port] = found
  const number = port === undefined ? defaultPort : Number(port)
  if (number < 1 || number > 65_535) return null
  return { host: name.replace(/^\[|\]$/g, '') || 'localhost', port: number }
}

export const addressOf = ({ host, port }: Server): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
