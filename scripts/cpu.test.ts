import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { secondsOfEnded, secondsOfTrees } from './cpu.ts'

const burns = `while (process.cpuUsage().user < 500_000);
console.log('done')
process.stdin.once('data', () => process.exit())`

test.skipIf(process.platform !== 'linux')(
  'a process counts with all below it, while they run and when they have ended',
  async () => {
    const before = secondsOfEnded()
    const child = spawn(process.execPath, ['-e', burns], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const [own = 0, all = 0, none] = secondsOfTrees([child.pid ?? 0, process.pid, 0x7fff_ffff])
    expect(own).toBeGreaterThanOrEqual(0.45)
    expect(all).toBeGreaterThan(own)
    expect(none).toBe(0)
    child.stdin.write('x')
    await ended
    expect(secondsOfEnded() - before).toBeGreaterThanOrEqual(0.45)
  },
)
