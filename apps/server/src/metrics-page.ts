import { createServer, type Server } from 'node:http'
import { bearerCredentials, defineOperation, errorsOf, type FairleadCore, type Operation } from '@fairlead/core'
import type { Page, PageDescription } from '@fairlead/rest-adapter'
import { z } from 'zod'
import type { Metrics } from './metrics.ts'

/** `GET /metrics` among the service's own paths: open to an admin's key alone. */
export function metricsPage(core: FairleadCore, metrics: Metrics): Page {
  const readMetrics = defineOperation({
    name: 'metrics',
    summary: 'Tells Prometheus how the service is doing.',
    kind: 'read',
    access: { scope: 'usage', role: 'admin' },
    metered: false,
    input: z.strictObject({}),
    output: z.string(),
    run: () => metrics.text(),
  })
  return {
    path: '/metrics',
    description: describes(readMetrics, metrics),
    async answer({ request, requestId }) {
      const credentials = bearerCredentials(request.headers.authorization)
      const reply = await core.run(readMetrics, credentials, {}, { requestId })
      return reply.success ? { status: 200, headers: headersOf(metrics), body: reply.data } : reply
    },
  }
}

function describes(operation: Operation, { contentType }: Metrics): PageDescription {
  const { name: operationId, summary } = operation
  const [mediaType = ''] = contentType.split(';')
  return {
    operationId,
    summary,
    secured: true,
    errors: errorsOf(operation).filter((code) => code !== 'INVALID_REQUEST' && code !== 'INTERNAL_ERROR'),
    responses: {
      200: {
        description: 'Metrics in the text format of Prometheus.',
        content: { [mediaType]: { schema: { type: 'string' } } },
      },
    },
  }
}

/** `GET /metrics` on an address of its own, which is to be kept from the public, and needs no key. */
export function metricsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    const found = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    response.writeHead(found ? 200 : 404, headersOf(metrics))
    response.end(found && request.method === 'GET' ? await metrics.text() : undefined)
  })
}

function headersOf({ contentType }: Metrics): Record<string, string> {
  return { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
}
