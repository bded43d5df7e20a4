import type { Endpoint } from '@fairlead/http'
import { toResponse } from './responses-reply.ts'
import { readResponsesRequest } from './responses-request.ts'
import { responsesEvents } from './responses-stream.ts'

/** `POST /responses`. Nothing is stored: a request has the whole conversation. */
export const responses: Endpoint = {
  method: 'POST',
  path: '/responses',
  operation: 'generate',
  maxBodyBytes: 20 * 1_048_576,
  translate({ body }) {
    const { input, ignored, spell, form } = readResponsesRequest(body)
    return {
      input,
      ignored,
      spell,
      toBody: ({ data, meta }) => toResponse(data, form, meta.requestId),
      toEvents: (requestId, at) => responsesEvents(form, requestId, at),
    }
  },
}
