import { hash } from 'node:crypto'
import { type Exchange, matchesTag, requestTarget } from '@fairlead/http'
import type { Page, PageAnswer, PageDescription } from '../pages.ts'
import type { DocumentOptions } from './document.ts'

interface Form {
  readonly path: '/openapi.json' | '/openapi.yaml'
  readonly operationId: string
  readonly format: string
  readonly contentType: string
  write(document: object): Promise<string>
}

const forms: readonly Form[] = [
  {
    path: '/openapi.json',
    operationId: 'openapiJson',
    format: 'JSON',
    contentType: 'application/json; charset=utf-8',
    write: async (document) => JSON.stringify(document, null, 2),
  },
  {
    path: '/openapi.yaml',
    operationId: 'openapiYaml',
    format: 'YAML',
    contentType: 'application/yaml; charset=utf-8',
    write: async (document) =>
      (await import('yaml')).stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 }),
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
    let latest: { readonly basePath: string; readonly text: Promise<string> } | undefined
    const write = async (basePath: string) =>
      form.write((await import('./document.ts')).openapiDocument({ ...options(), basePath }))
    return {
      path: form.path,
      description: describes(form),
      async answer(exchange) {
        const { basePath } = exchange.request
        if (latest?.basePath !== basePath) latest = { basePath, text: write(basePath) }
        return answerWith(await latest.text, form, exchange)
      },
    }
  })
}

function answerWith(text: string, { path, contentType }: Form, { request }: Exchange): PageAnswer {
  const etag = `"${hash('sha256', text, 'base64url').slice(0, 22)}"`
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  if (matchesTag(request.headers['if-none-match'], etag)) return { status: 304, headers }
  const { search } = requestTarget(request.url)
  const asFile = new URLSearchParams(search).has('download')
  const name = `fairlead-${path.slice(1)}`
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': contentType,
      ...(asFile && { 'Content-Disposition': `attachment; filename="${name}"` }),
    },
    body: text,
  }
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
