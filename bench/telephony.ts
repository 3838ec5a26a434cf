/**
 * Real calls on one machine: `npm run bench:telephony -- [--seconds 8] [--rounds 2] [--calls 6000] [--progress 900] [--rate 500]`. The same
 * calls by Asterisk's own dialplan, by a bare ARI client, by one that asks of Asterisk what the product asks, and by the product, in turn,
 * to one SIPp that answers at once; hung up on answer, and after a prompt of 3 s. Each dials as fast as it can, at most `rate` per second,
 * for `seconds` after a warm-up, in `rounds` that alternate because machines are noisy; then at 50 per second. Prints, from the operator's
 * log: calls per second, concurrent calls, failures, and CPU of each process. Aims: the bare client's rate; 0.60 of the dialplan's with the
 * prompt; a quarter of a core of ours at 50 calls/s.
 */
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { asteriskDriver } from '@ghanti/server/drivers/telephony/asterisk/asterisk.ts'
import { idOf } from '@ghanti/server/drivers/telephony/asterisk/trunks/trunk-objects.ts'
import { startLocalAsterisk } from '@ghanti/server/demo/local-asterisk.ts'
import { clusterFolder } from '@ghanti/server/testing/cluster.ts'
import { toneFile } from '@ghanti/server/testing/files/sound.ts'
import { runBench, smallest, type Ending } from './bench.ts'
import { promptMs } from './dispatch/fixtures.ts'
import { callByAri } from './telephony/bare.ts'
import { callByDialplan } from './telephony/dialplan.ts'
import { startProduct, type Product } from './telephony/engine.ts'
import { figuresOf, type Measured } from './telephony/measured.ts'
import type { Load } from './telephony/load.ts'
import { cpuSeconds, type Watched } from './processes.ts'
import { startSink, type Sink } from './telephony/sink.ts'

const { values: options } = parseArgs({
  options: {
    smallest: { type: 'boolean' },
    seconds: { type: 'string', default: smallest ? '1' : '8' },
    rounds: { type: 'string', default: smallest ? '1' : '2' },
    calls: { type: 'string', default: smallest ? '10' : '6000' },
    progress: { type: 'string', default: smallest ? '10' : '900' },
    rate: { type: 'string', default: smallest ? '20' : '500' },
  },
})
const seconds = Number(options.seconds)
const warmUpMs = smallest ? 0 : promptMs + 1000
const firstCallMs = 20_000
const restMs = smallest ? 200 : 2000
const pacedRate = 50
const [app, trunkName] = ['bench', 'sink']

type Caller = { name: string; call(load: Load): Promise<{ claimed: number } | void> }
type Run = Measured & { cpu: Map<string, number> }

const folder = clusterFolder('bench-telephony')
const ends: Ending[] = [() => fs.rmSync(folder, { recursive: true, force: true })]
await runBench(run, ends)

async function run(): Promise<void> {
  const prompt = path.join(folder, 'prompt.wav')
  fs.writeFileSync(prompt, Buffer.from(await toneFile('prompt.wav', promptMs / 1000).arrayBuffer()))
  const sink = await startSink(path.join(folder, 'sipp'))
  ends.push(() => sink.end())
  const home = path.join(folder, 'asterisk')
  const settings = { BENCH: '1', AST_RTP: '20000-29999', OPERATOR_RTP: '30000-39999' }
  const own = { home, freePorts: true, parent: process.pid, settings }
  const asterisk = await startLocalAsterisk({ ...own, say: () => undefined })
  ends.push(() => asterisk.stop())
  const { dialer } = asterisk
  await setTrunk(dialer, sink)
  const product = await startProduct({ folder, dialer, sink })
  ends.push(() => product.stop())
  const runFolder = fs.readFileSync(path.join(home, 'dialer/run-folder'), 'utf8').trim()
  const watched: Watched[] = [
    { name: 'asterisk', pid: Number(fs.readFileSync(path.join(runFolder, 'asterisk.pid'), 'utf8')) },
    { name: 'sipp', pid: sink.pid },
    { name: 'node', pid: process.pid },
    { name: 'postgres', pid: product.postgresPid, family: true },
  ]
  const trunk = idOf(app, dialer.secret, trunkName)
  const spool = path.join(home, 'dialer/var/spool')
  const dialplan: Caller = { name: 'dialplan', call: (load) => callByDialplan(load, { spool, trunk, sink }) }
  const ari = (name: string, careful: boolean): Caller => ({
    name,
    call: (load) => callByAri(load, { dialer, trunk, careful }),
  })
  const engine: Caller = { name: 'engine', call: (load) => product.call(load) }
  await compare({
    callers: [dialplan, ari('bare ARI', false), ari('careful ARI', true), engine],
    prompt,
    sink,
    watched,
  })
  await showBooks(product)
}

/** For clients without trunks of their own, one like the product's. */
async function setTrunk(
  dialer: { host: string; port: number; user: string; secret: string },
  sink: Sink,
): Promise<void> {
  const address = { ...dialer, certificate: null, media: { folder: path.join(folder, 'media') } }
  const connection = await asteriskDriver({ app }).connect(address)
  const { host, port } = sink
  const account = {
    user: '',
    secret: '',
    registers: false,
    cliFormat: 'national',
    cliHeader: 'auto',
    numberStrip: '',
    numberPrefix: '',
    options: plainSipOptions,
  } as const
  await connection.setTrunks([{ name: trunkName, host, port, transport: 'udp', codecs: ['alaw', 'ulaw'], ...account }])
  await connection.close()
}

type Bench = { callers: readonly Caller[]; prompt: string; sink: Sink; watched: readonly Watched[] }

async function compare(bench: Bench): Promise<void> {
  const { callers, prompt } = bench
  const [perSecond, rounds] = [Number(options.rate), Number(options.rounds)]
  showRatios(await measureAll('hung up on the answer', { prompt: null, perSecond }, bench, rounds))
  showRatios(await measureAll('a prompt of 3 s', { prompt, perSecond }, bench, rounds))
  if (smallest) return
  const ariOnly = { ...bench, callers: callers.filter(({ name }) => name !== 'dialplan') }
  const paced = await measureAll(`a prompt of 3 s, ${pacedRate} calls/s`, { prompt, perSecond: pacedRate }, ariOnly, 1)
  console.log(`  our process: ${paced.get('engine')?.[0]?.cpu.get('node')?.toFixed(2)} of a core (aim 0.25)`)
}

type Calls = { prompt: string | null; perSecond: number }

/** Alternates, every second round in reverse, so that each has an equally warm and noisy machine. */
async function measureAll(what: string, of: Calls, bench: Bench, rounds: number): Promise<Map<string, Run[]>> {
  console.log(what)
  const runs = new Map<string, Run[]>()
  for (let round = 0; round < rounds; round++)
    for (const caller of round % 2 === 0 ? bench.callers : bench.callers.toReversed())
      runs.set(caller.name, [...(runs.get(caller.name) ?? []), await measure(caller, of, bench)])
  return runs
}

function showRatios(runs: ReadonlyMap<string, readonly Run[]>): void {
  const all = (name: string): number => (runs.get(name) ?? []).reduce((sum, { perSecond }) => sum + perSecond, 0)
  const ratio = (name: string): string => (all('engine') / all(name)).toFixed(2)
  console.log(
    `  the engine's rate: ${ratio('bare ARI')} of the bare client's (aim 1.00), ${ratio('careful ARI')} of the careful one's`,
  )
  console.log(`  and ${ratio('dialplan')} of the dialplan's (aim 0.60 with the prompt)`)
}

async function measure(caller: Caller, of: Calls, { sink, watched }: Pick<Bench, 'sink' | 'watched'>): Promise<Run> {
  sink.forget()
  const ending = new AbortController()
  const limits = { inProgressMax: Number(options.progress), callsMax: Number(options.calls) }
  const calling = caller.call({ ...of, ...limits, ending: ending.signal })
  for (const until = performance.now() + firstCallMs; sink.read().ended === 0 && performance.now() < until;)
    await sleep(5)
  await sleep(warmUpMs)
  const [before, from] = [cpuSeconds(watched), Date.now()]
  while (Date.now() < from + seconds * 1000 && sink.read().invited < limits.callsMax) await sleep(20)
  const [after, to] = [cpuSeconds(watched), Date.now()]
  ending.abort()
  const summary = await calling
  await sleep(restMs)
  const cpu = new Map([...after].map(([name, used]) => [name, (used - (before.get(name) ?? 0)) / ((to - from) / 1000)]))
  const run = { ...figuresOf(sink.calls(), { from, to, promptMs: of.prompt === null ? 0 : promptMs }), cpu }
  show(caller.name, run, (summary?.claimed ?? run.calls) - run.calls)
  return run
}

function show(name: string, run: Run, givenBack: number): void {
  const { perSecond, calls, inProgressMax, setUpMs, lastedMs, failures, cpu } = run
  const [one] = os.loadavg()
  const cores = [...cpu].map(([of, used]) => `${of} ${used.toFixed(2)}`).join(', ')
  const ms = ({ p50, p99 }: { p50: number; p99: number }): string => `${Math.round(p50)}/${Math.round(p99)} ms`
  const failed = `${failures.unanswered} not answered, ${failures.unended} not ended, ${failures.short} too short`
  console.log(`  ${name}: ${perSecond.toFixed(1)} calls/s, ${inProgressMax} at once at most, ${calls} calls: ${failed}`)
  console.log(
    `    set up in ${ms(setUpMs)}, lasted ${ms(lastedMs)} (p50/p99)${givenBack > 0 ? `, ${givenBack} claimed and given back` : ''}`,
  )
  const each = [...cpu].map(([of, used]) => `${of} ${((used / perSecond) * 1000).toFixed(2)}`).join(', ')
  console.log(`    cores: ${cores}; load ${one?.toFixed(1)}`)
  console.log(`    ms of a core a call: ${each}`)
}

async function showBooks(product: Product): Promise<void> {
  const faults = await product.faults()
  console.log(faults.length === 0 ? 'the books are right' : `THE BOOKS ARE WRONG: ${faults.join(', ')}`)
  if (faults.length > 0) process.exitCode = 1
}
