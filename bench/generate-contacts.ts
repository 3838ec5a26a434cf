/**
 * Writes a contact file with realistic faults: `node bench/generate-contacts.ts contacts.csv [rows] [seed]`. Prints the expected counts of
 * an import.
 */
import { writeFileSync } from 'node:fs'
import { generateContacts } from '@ghanti/server/testing/files/contact-file.ts'

const [target, rows = '10000', seed = '1'] = process.argv.slice(2)
if (target === undefined) {
  console.error('say where: node bench/generate-contacts.ts contacts.csv [rows] [seed]')
  process.exit(1)
}
const made = generateContacts({ rows: Number(rows), seed: Number(seed) })
writeFileSync(target, made.text)
console.log(JSON.stringify(made.expected))
