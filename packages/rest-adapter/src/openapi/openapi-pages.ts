import { type Exchange, keptDocument, type KeptDocument } from '@fairlead/http'
import type { Page, PageAnswer, PageDescription } from '../pages.ts'
import type { DocumentOptions } from './document.ts'
import type { OpenapiDocument } from './openapi-object.ts'
import { writeJson, writeYaml } from './write-document.ts'

interface Form {
  readonly path: '/openapi.json' | '/openapi.yaml'
  readonly operationId: string
  readonly format: string
  readonly contentType: string
  write(document: OpenapiDocument): Promise<string>
}

const forms: readonly Form[] = [
  {
    path: '/openapi.json',
    operationId: 'openapiJson',
    format: 'JSON',
    contentType: 'application/json; charset=utf-8',
    write: writeJson,
  },
  {
    path: '/openapi.yaml',
    operationId: 'openapiYaml',
    format: 'YAML',
    contentType: 'application/yaml; charset=utf-8',
    write: writeYaml,
  },
]

/**
 * `/openapi.json` and `/openapi.yaml`; with `?download` they come as a file. The first request loads the code that builds
 * them.
 *
 * @param options called once, when the document is built
 */
export function openapiPages(options: () => DocumentOptions): readonly Page[] {
  return forms.map((form) => {
    /** Written again if the adapter is mounted under another path. */
    let latest: { readonly basePath: string; readonly document: Promise<KeptDocument> } | undefined
    const write = async (basePath: string) => {
      const { openapiDocument } = await import('./document.ts')
      return keptDocument(await form.write(await openapiDocument({ ...options(), basePath })), form.contentType)
    }
    return {
      path: form.path,
      description: describes(form),
      async answer(exchange) {
        const { basePath } = exchange.request
        if (latest?.basePath !== basePath) latest = { basePath, document: write(basePath) }
        return answerWith(await latest.document, form, exchange)
      },
    }
  })
}

async function answerWith(document: KeptDocument, { path }: Form, { request }: Exchange): Promise<PageAnswer> {
  const response = await document.respond(request.headers)
  if (!new URLSearchParams(request.search).has('download')) return response
  const name = `fairlead-${path.slice(1)}`
  return { ...response, headers: { ...response.headers, 'Content-Disposition': `attachment; filename="${name}"` } }
}

function describes({ operationId, contentType, format }: Form): PageDescription {
  const [mediaType = ''] = contentType.split(';')
  return {
    operationId,
    summary: `Returns this document as ${format}.`,
    description: 'Needs no credential. Free of charge.',
    parameters: [
      {
        name: 'download',
        in: 'query',
        description: 'Whether to send the document as a download.',
        allowEmptyValue: true,
        schema: { type: 'boolean' },
      },
    ],
    responses: {
      200: {
        description: 'The OpenAPI document.',
        content: {
          [mediaType]: { schema: mediaType === 'application/json' ? { type: 'object' } : { type: 'string' } },
        },
      },
      304: { description: 'The document matches `If-None-Match`.' },
    },
  }
}
