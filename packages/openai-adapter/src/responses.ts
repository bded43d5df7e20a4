import type { Endpoint } from '@fairlead/http'
import { toResponse } from './responses-reply.ts'
import { readResponsesRequest } from './responses-request.ts'
import { ResponseWriter } from './responses-stream.ts'

/** `POST /responses`. Nothing is stored: a request has the whole conversation. */
export const responses: Endpoint = {
  method: 'POST',
  path: '/responses',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body, core }) {
    const { ignored, form, ...request } = readResponsesRequest(body)
    return {
      ...request,
      ignored: (provider) =>
        provider !== undefined && core.supportsDialect(provider, request.native.dialect)
          ? []
          : ignored(provider !== undefined && core.searchesWeb(provider)),
      toBody: ({ data, meta }) => toResponse(data, form, meta.requestId),
      toEvents: (requestId, at) => new ResponseWriter(form, requestId, at),
    }
  },
}
