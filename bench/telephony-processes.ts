/** How much of a core processes take, by /proc. */
import * as fs from 'node:fs'

const ticksPerSecond = 100

/** A process that watches for others takes their time too: those that it started, also ended ones. */
export type Watched = { name: string; pid: number; family?: boolean }

/** Seconds of a core that each has used until now. */
export function cpuSeconds(watched: readonly Watched[]): Map<string, number> {
  return new Map(watched.map(({ name, pid, family }) => [name, family ? ofFamily(pid) : (statOf(pid)?.own ?? 0)]))
}

type Stat = { parent: number; own: number; ofEnded: number }

function statOf(pid: number): Stat | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (first: number): number => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / ticksPerSecond
    return { parent: fields[1] ?? 0, own: sum(11), ofEnded: sum(13) }
  } catch {
    return null // it has ended
  }
}

function ofFamily(pid: number): number {
  const parent = statOf(pid)
  const children = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid)
  return children.reduce((sum, stat) => sum + (stat?.own ?? 0), (parent?.own ?? 0) + (parent?.ofEnded ?? 0))
}
