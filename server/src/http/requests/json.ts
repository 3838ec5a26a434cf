import { faultOfJson, jsonDepthMax, jsonPartsMin, type JsonBounds } from '@ghanti/contract/bounded-json.ts'
import { badField } from '../../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How much JSON the route's schema can hold. */
    json?: JsonBounds
  }
}

/** A body as JSON, whose parts are counted before anything is built of it. Throws 400. */
export function parseJson(
  body: string,
  bounds: JsonBounds = { partsMax: jsonPartsMin, depthMax: jsonDepthMax },
): unknown {
  const fault = faultOfJson(body, bounds)
  if (fault !== null) throw badField('body', fault, 'too_many')
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw badField('body', 'is not JSON', 'unreadable')
  }
}
