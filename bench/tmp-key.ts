import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
const sizes = { users: 10000, credits: 10000000, blacklist: 10000000, campaigns: 100000, attempts: 1000000 }
const hash = createHash('sha256').update(`${JSON.stringify(sizes)} ${new Date().toDateString()}`)
for (const n of ['lists-world.ts', 'lists-things.ts']) hash.update(readFileSync('bench/' + n))
const f = '/tmp/ghanti-bench-lists/world.json'
const w = JSON.parse(readFileSync(f, 'utf8'))
w.key = hash.digest('hex')
writeFileSync(f, JSON.stringify(w))
