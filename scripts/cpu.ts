/** CPU seconds of processes, as Linux counts them in /proc. Without a /proc there are none. */
import * as fs from 'node:fs'

/** USER_HZ: the same wherever Node runs. */
const ticksPerSecond = 100

type Spent = {
  parent: number
  own: number
  /** Of the children that it has waited for, and theirs. */
  waited: number
}

/** Null once the process is gone. */
function spentBy(pid: string): Spent | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before these, in brackets, may hold blanks and brackets.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11, 15)
    const [own, waited] = [(user + system) / ticksPerSecond, (waitedUser + waitedSystem) / ticksPerSecond]
    return { parent: fields[1] ?? 0, own, waited }
  } catch {
    return null
  }
}

/** Of the children of this process that have ended, and of theirs. */
export const secondsOfEnded = (): number => spentBy('self')?.waited ?? 0

/** Now, of each of these processes: its own and those of all below it. */
export function secondsOfTrees(roots: readonly number[]): number[] {
  const pids = fs.existsSync('/proc/self/stat') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const spent = new Map(pids.map((pid) => [Number(pid), spentBy(pid)]))
  const below = new Map<number, number[]>()
  for (const [pid, one] of spent) if (one) below.set(one.parent, [...(below.get(one.parent) ?? []), pid])
  const ofTree = (pid: number): number => {
    const one = spent.get(pid)
    return (one ? one.own + one.waited : 0) + (below.get(pid) ?? []).reduce((sum, child) => sum + ofTree(child), 0)
  }
  return roots.map(ofTree)
}
