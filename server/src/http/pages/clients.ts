import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { sendCompressed, type Asset } from './compressed.ts'

const folder = path.resolve(import.meta.dirname, '../../../../clients')
/** Each is one file that a program copies; its licence is MIT and stands in it. */
const clients = { 'ghanti.php': 'php', 'ghanti.py': 'python' } as const

/** The clients for programs, as this version of the API has them: for everybody, from memory. */
export function clientRoutes(http: FastifyInstance): void {
  for (const [name, language] of Object.entries(clients)) {
    let file: Asset | undefined
    http.get(`/api/v1/clients/${name}`, async (request, reply) => {
      file ??= {
        bytes: readFileSync(path.join(folder, language, name)),
        type: 'text/plain; charset=utf-8',
        encoded: new Map(),
      }
      reply.header('cache-control', 'public, max-age=3600')
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return await sendCompressed(file, request, reply)
    })
  }
}
