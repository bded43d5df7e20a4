import type { IncomingMessage } from 'node:http'
import { FairleadError } from '@fairlead/core'
import { createJsonScan, describeExcess, type JsonExcess, readBody } from '@fairlead/node-http'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON body of a request; an empty one counts as an object without fields. Refuses other types, encodings and sizes. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const scan = createJsonScan()
  const body = await readBody(request, maxBytes, scan)
  if (!body) throw excessiveBody(scan.excess, maxBytes)
  if (body.length === 0) return {}
  checkType(request)
  try {
    return JSON.parse(utf8.decode(body))
  } catch (error) {
    throw new FairleadError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8.', { cause: error })
  }
}

function excessiveBody(excess: JsonExcess | undefined, maxBytes: number): FairleadError {
  const message = describeExcess(excess, maxBytes)
  if (excess !== 'depth') return new FairleadError('PAYLOAD_TOO_LARGE', message)
  const issue = 'must not be nested deeper than 64 levels'
  return new FairleadError('INVALID_REQUEST', message, { issues: [{ field: null, issue }] })
}

function checkType({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new FairleadError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without a Content-Encoding.')
  }
  if (!isJson(headers['content-type'] ?? '')) {
    throw new FairleadError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json", in UTF-8.')
  }
}

/** Parameters other than the charset mean nothing to JSON (RFC 8259, 11). */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every((one) => /^utf-?8$/.test(charsetIn(one) ?? 'utf-8'))
}

/** The charset that a parameter names; undefined for any other parameter. */
function charsetIn(parameter: string): string | undefined {
  const equals = parameter.indexOf('=')
  if (equals < 0 || parameter.slice(0, equals).trim() !== 'charset') return undefined
  return parameter
    .slice(equals + 1)
    .trim()
    .replaceAll(/^"|"$/g, '')
}
