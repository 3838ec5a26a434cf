import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { serveNetwork } from './server.ts'
import { createNetwork } from './simulator.ts'

/** The simulator as a process of its own: `npm run simulator -- --port 8188 --speed 30`. Prints its address when it is ready. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8188' },
    speed: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    mixture: { type: 'boolean', default: false },
    transcripts: { type: 'boolean', default: false },
    folder: { type: 'string', default: join('.ghanti', 'simulator') },
  },
})

function positive(name: 'port' | 'speed' | 'seed', least: number): number {
  const value = Number(values[name])
  if (Number.isFinite(value) && value >= least) return value
  process.stderr.write(`--${name} ${values[name]} is not a number from ${least}\n`)
  process.exit(2)
}

mkdirSync(values.folder, { recursive: true })
const port = positive('port', 0)
const options = {
  speed: positive('speed', 0.001),
  seed: positive('seed', 0),
  mixture: values.mixture,
  keepTranscripts: values.transcripts,
}
const network = createNetwork(options, join(values.folder, `process-${port}.csv`))
const server = await serveNetwork(network, port)
process.stdout.write(`simulator ready at ws://127.0.0.1:${server.port}, speed ${options.speed}\n`)
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    void server.close().then(() => process.exit(0))
  })
}
