import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import type { CallingGateway, HttpPorts } from './ports.ts'

const bodyMax = 65_536

const json = { description: 'JSON, however deep its lists and fields are' }
const form = { type: 'object', additionalProperties: { type: 'string' } }
const operation = (method: 'get' | 'post') => ({
  operationId: `callback.${method}`,
  summary: 'Takes a receipt or an incoming message from a gateway.',
  tags: ['smsGateways'],
  description:
    'For gateways over HTTP. The gateway’s settings say where the query or the body has the values, also of several receipts at once. Needs the secret instead of a session.',
  security: [],
  parameters: [
    { name: 'gatewayId', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'secret', in: 'query', required: true, schema: { type: 'string' } },
  ],
  ...(method === 'post' && {
    requestBody: {
      content: {
        'application/json': { schema: json },
        'application/x-www-form-urlencoded': { schema: form },
        'text/plain': { schema: { type: 'string', description: 'JSON or a form' } },
      },
    },
  }),
  responses: {
    200: { description: 'OK, even if it belongs to no message', content: { 'text/plain': {} } },
    404: { description: 'Unknown gateway or wrong secret' },
    429: { description: 'Too many at once: try again after Retry-After' },
  },
})

/** The callback's part of the OpenAPI document, which the contract cannot supply. */
export const callbackPaths = {
  '/app/sms/callback/{gatewayId}': { get: operation('get'), post: operation('post') },
}

/**
 * HTTP gateways report receipts and incoming messages here. The contract does not include this route, because each gateway names the parameters in
 * its own way. The caller has a secret instead of a session. The secret is checked before the body is read, without a statement where it is right.
 */
export async function gatewayCallbackRoute(http: FastifyInstance, { gatewayCalling }: HttpPorts): Promise<void> {
  /** Of gateways that have shown their secret: nobody else waits here. */
  const turns = new FairSemaphore(4, { ofEach: 2, waitingOfEach: 1000 })
  const calling = new WeakMap<FastifyRequest, CallingGateway>()
  await http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: bodyMax } as const
    scope.addContentTypeParser('*', asText, async (request: FastifyRequest, body: unknown) => {
      if (bodyTypes.test(typeOf(request))) return body
      throw new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(typeOf(request))
    })
    scope.addHook('onError', async (request, _reply, error) => {
      if (error.statusCode === 413) await calling.get(request)?.refused(`(more than ${bodyMax / 1024} KiB)`)
      if (error.statusCode === 415) await calling.get(request)?.refused(`(content-type: ${typeOf(request)})`)
    })
    scope.route<{ Params: { gatewayId: string } }>({
      method: ['GET', 'POST'],
      url: '/app/sms/callback/:gatewayId',
      exposeHeadRoute: false,
      onRequest: async (request) => {
        const { gatewayId } = request.params
        const { secret } = parametersOf(request.query)
        if (!/^[1-9]\d{0,8}$/.test(gatewayId) || typeof secret !== 'string') throw new AppError('not_found')
        const gateway = await gatewayCalling(Number(gatewayId), secret)
        if (!gateway.mayCallBack()) throw new AppError('throttled', [], { retryAfterSeconds: 1 })
        calling.set(request, gateway)
      },
      handler: async (request, reply) => {
        const gateway = calling.get(request)
        if (!gateway) throw new AppError('not_found')
        const { secret: _, ...query } = parametersOf(request.query)
        const body = typeof request.body === 'string' ? request.body : ''
        const isForm = typeOf(request).startsWith('application/x-www-form-urlencoded')
        await turns.run(() => gateway.take({ query, body, isForm }), gateway.gatewayId)
        return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK')
      },
    })
  })
}

/** JSON and forms, which gateways also send as text, or without a type. */
const bodyTypes = /^$|^(application\/([\w.-]+\+)?json|application\/x-www-form-urlencoded|text\/plain)\b/

function typeOf({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').toLowerCase().slice(0, 100)
}

function parametersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
