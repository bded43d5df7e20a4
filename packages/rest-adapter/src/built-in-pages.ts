import { FairleadError } from '@fairlead/core'
import { type FairleadCore, sniffImageType } from '@fairlead/core/adapter'
import { matchesTag } from '@fairlead/http'
import { headerReferences } from './openapi/components.ts'
import { object, successSchema, text } from './openapi/envelope-schemas.ts'
import type { Page, PageDescription } from './pages.ts'
import type { Route } from './routes.ts'

export interface ServiceDescription {
  readonly name: string
  readonly version: string
  /** The paths of documents besides the OpenAPI document, by kind. Default: none. */
  readonly documents?: Readonly<Record<string, string>>
  /** Whom the OpenAPI document names for questions. Default: the name of the service. */
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
}

const serviceData = object({
  name: text('The name of the service.'),
  version: text('The version of the service.'),
  documents: {
    type: 'object',
    description: 'The paths of its documents, by kind.',
    additionalProperties: { type: 'string' },
  },
  paths: { type: 'array', description: 'Its operations, as `METHOD /path`.', items: { type: 'string' } },
})
const serviceSchema = successSchema(
  { ...serviceData, description: 'The service.' },
  { $ref: '#/components/schemas/Meta' },
  undefined,
)

const serviceDescription: PageDescription = {
  operationId: 'service',
  summary: 'Returns the name, version, documents and operations of the service.',
  description: 'Needs no credential. Free of charge.',
  responses: {
    200: {
      description: 'The service.',
      headers: headerReferences(['X-Request-Id']),
      content: { 'application/json': { schema: serviceSchema } },
    },
    302: { description: 'A browser is sent to the dashboard, if the service has one.' },
  },
}

/** `GET /`: the name of the service, and its operations. Sends browsers to the dashboard, if the service has one. */
export function servicePage(
  service: ServiceDescription,
  routes: readonly Route[],
  publicPath: (basePath: string) => string,
): Page {
  const { name, version } = service
  const documents: Record<string, string> & { dashboard?: string } = {
    openapi: '/openapi.json',
    openapi_yaml: '/openapi.yaml',
    ...service.documents,
  }
  return {
    path: '/',
    description: serviceDescription,
    respond(exchange) {
      const { headers } = exchange.request
      const home = publicPath(exchange.request.basePath)
      if (documents.dashboard !== undefined && headers.accept?.includes('text/html')) {
        return {
          status: 302,
          headers: { 'Cache-Control': 'no-store', Vary: 'Accept', Location: home + documents.dashboard },
        }
      }
      const data = {
        name,
        version,
        documents: Object.fromEntries(Object.entries(documents).map(([kind, path]) => [kind, home + path])),
        paths: routes.map(({ method, path }) => `${method} ${home}${path}`),
      }
      const meta = { request_id: exchange.requestId, timestamp: new Date(exchange.at).toISOString() }
      return {
        status: 200,
        headers: {
          'Cache-Control': 'no-store',
          Vary: 'Authorization, Accept',
          'Content-Type': 'application/json; charset=utf-8',
        },
        body: JSON.stringify({ success: true, data, meta }),
      }
    },
  }
}

const imageDescription: PageDescription = {
  operationId: 'image',
  summary: 'Returns the PNG of a generated image.',
  description: 'Needs no credential: the address, which cannot be guessed, is enough. Free of charge.',
  parameters: [
    { name: 'id', in: 'path', description: 'The id of the image.', required: true, schema: { type: 'string' } },
  ],
  errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  responses: {
    200: {
      description: 'The image. It never changes, so caches may keep it forever.',
      content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
    },
    304: { description: 'The image matches `If-None-Match`.' },
  },
}

/** Serves stored images. The id of an image cannot be guessed, and is the permission to read it. */
export function imagePages(core: FairleadCore): readonly Page[] {
  const others = ['jpeg', 'webp', 'gif'].map((extension) => imagePage(core, extension))
  return [{ ...imagePage(core, 'png'), description: imageDescription }, ...others]
}

/** @param extension of the address, which is the type of the image */
function imagePage(core: FairleadCore, extension: string): Page {
  const type = `image/${extension}`
  return {
    path: `/images/{id}.${extension}`,
    async respond({ request }, { id = '' }) {
      const image = await core.openImage(id)
      if (!image || sniffImageType(image) !== type) throw new FairleadError('NOT_FOUND', 'Image not found.')
      const etag = `"${id}"`
      const headers = {
        ETag: etag,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Content-Type-Options': 'nosniff',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      }
      if (matchesTag(request.headers['if-none-match'], etag)) return { status: 304, headers }
      return { status: 200, headers: { ...headers, 'Content-Type': type }, body: image }
    },
  }
}
