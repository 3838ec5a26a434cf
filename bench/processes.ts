import * as fs from 'node:fs'

/** USER_HZ: the same wherever Node runs. */
const ticksPerSecond = 100

/** `family`: includes the time of child processes, even ended ones. */
export type Watched = { name: string; pid: number; family?: boolean }

export function cpuSeconds(watched: readonly Watched[]): Map<string, number> {
  return new Map(watched.map(({ name, pid, family }) => [name, family ? ofFamily(pid) : (statOf(pid)?.own ?? 0)]))
}

export function cpuSecondsOfChildren(pid: number): Map<number, number> {
  return new Map(childrenOf(pid).map(({ pid: child, own }) => [child, own]))
}

/** How often the main thread of a process has gone to sleep so far, and so how often it was woken. Unlike CPU time it does not depend on the machine. */
export function sleepsOf(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/task/${pid}/status`, 'latin1')
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1])
}

/** CPU seconds: its own, and those of the children that it has waited for, and theirs. */
type Stat = { pid: number; parent: number; own: number; ofEnded: number }

/** Null once the process is gone, and where there is no /proc. */
export function statOf(pid: number): Stat | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before these, in brackets, may hold blanks and brackets.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const sum = (first: number): number => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / ticksPerSecond
    return { pid, parent: fields[1] ?? 0, own: sum(11), ofEnded: sum(13) }
  } catch {
    return null
  }
}

function childrenOf(pid: number): Stat[] {
  const processes = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.flatMap((name) => {
    const stat = statOf(Number(name))
    return stat?.parent === pid ? [stat] : []
  })
}

function ofFamily(pid: number): number {
  const parent = statOf(pid)
  return childrenOf(pid).reduce((sum, stat) => sum + stat.own, (parent?.own ?? 0) + (parent?.ofEnded ?? 0))
}
