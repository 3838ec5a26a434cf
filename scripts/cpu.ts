/** CPU seconds of processes, as Linux counts them in /proc. Without a /proc there are none. */
import * as fs from 'node:fs'
import { statOf } from '../bench/processes.ts'

/** Of the children of this process that have ended, and of theirs. */
export const secondsOfEnded = (): number => statOf(process.pid)?.ofEnded ?? 0

/** Now, of each of these processes: its own and those of all below it. */
export function secondsOfTrees(roots: readonly number[]): number[] {
  const pids = fs.existsSync('/proc/self/stat') ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  const spent = new Map(pids.map((pid) => [Number(pid), statOf(Number(pid))]))
  const below = new Map<number, number[]>()
  for (const [pid, one] of spent) if (one) below.set(one.parent, [...(below.get(one.parent) ?? []), pid])
  const ofTree = (pid: number): number => {
    const one = spent.get(pid)
    return (one ? one.own + one.ofEnded : 0) + (below.get(pid) ?? []).reduce((sum, child) => sum + ofTree(child), 0)
  }
  return roots.map(ofTree)
}
