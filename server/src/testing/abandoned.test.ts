import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryPrefix, noteName, removeAbandoned } from './abandoned.ts'

function madeFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'abandoned-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}
/** A cluster, and a process that is its server as long as the test. */
function newCluster(home: string, { isUsed }: { isUsed: boolean }): void {
  const data = path.join(home, 'data')
  fs.mkdirSync(data, { recursive: true })
  if (!isUsed) return
  const server = spawn('sleep', ['100'], { cwd: data, stdio: 'ignore' })
  onTestFinished(() => void server.kill())
  fs.writeFileSync(path.join(data, 'postmaster.pid'), `${server.pid}\n${data}\n0\n5432\n`)
}

test('of clusters in memory those go whose checkout is gone and which no server uses', async () => {
  const [memory, checkout] = [madeFolder(), madeFolder()]
  const gone = path.join(checkout, 'gone')
  for (const [name, of, isUsed] of [
    ['kept', checkout, false],
    ['gone', gone, false],
    ['gone-used', gone, true],
    ['unnamed', null, false],
  ] as const) {
    const folder = path.join(memory, `${memoryPrefix}${name}`)
    newCluster(path.join(folder, 'postgres'), { isUsed })
    if (of !== null) fs.writeFileSync(path.join(folder, noteName), of)
  }
  fs.mkdirSync(path.join(memory, 'ghanti-something-else'))
  await removeAbandoned(path.join(memory, 'none'), memory)
  const left = [`${memoryPrefix}gone-used`, `${memoryPrefix}kept`, `${memoryPrefix}unnamed`]
  expect(fs.readdirSync(memory).toSorted()).toEqual(['ghanti-something-else', ...left])
})

test('of clusters below a closed folder those of tests go when their folder is gone; a demo’s may have moved and stays', async () => {
  const [linked, checkout] = [madeFolder(), madeFolder()]
  const ofTests = (name: string) => path.join(checkout, name, '.ghanti/test/postgres')
  const clusters = {
    kept: ofTests('here'),
    gone: ofTests('gone'),
    used: ofTests('used'),
    moved: path.join(checkout, 'moved/.ghanti/postgres'),
    made: path.join(os.tmpdir(), 'ghanti-e2e-that-is-gone/postgres'),
    ofRun: path.join(linked, 'none', `${memoryPrefix}checkout/run-that-is-gone/ghanti-main/postgres`),
  }
  for (const [name, folder] of Object.entries(clusters)) {
    newCluster(path.join(linked, name), { isUsed: name === 'used' })
    fs.writeFileSync(path.join(linked, `${name}.folder`), folder)
  }
  fs.mkdirSync(path.dirname(clusters.kept), { recursive: true })
  fs.symlinkSync(path.join(linked, 'kept'), clusters.kept)
  await removeAbandoned(linked, path.join(linked, 'none'))
  const left = ['kept', 'moved', 'used'].flatMap((name) => [name, `${name}.folder`])
  expect(fs.readdirSync(linked).toSorted()).toEqual(left)
})
