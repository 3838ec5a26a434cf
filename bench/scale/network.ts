/** Simulated dialers for bench/scale in a process of their own, so that calls outlive an engine. Sends their ports to the parent and ends with it. */
import { mkdirSync } from 'node:fs'
import * as path from 'node:path'
import { parseArgs } from 'node:util'
import { serveNetwork } from '@ghanti/server/drivers/telephony/simulator/server.ts'
import { createNetwork } from '@ghanti/server/drivers/telephony/simulator/simulator.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { dialers: text, speed: text, folder: text } })
const folder = values.folder ?? '.'
mkdirSync(folder, { recursive: true })
const ports: number[] = []
for (let i = 0; i < Number(values.dialers); i++) {
  const network = createNetwork({ speed: Number(values.speed) }, path.join(folder, `dialer-${i}.csv`))
  ports.push((await serveNetwork(network, 0)).port)
}
process.send?.(ports)
process.once('disconnect', () => process.exit())
