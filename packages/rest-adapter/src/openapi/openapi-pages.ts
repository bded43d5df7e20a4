import { staticDocument, type StaticDocument } from '@fairlead/http'
import type { Page } from '../pages.ts'
import type { DocumentOptions } from './document.ts'
import type { OpenapiDocument, ParameterObject } from './openapi-object.ts'
import { writeYaml } from './write-document.ts'

const forms = [
  { format: 'JSON', operationId: 'openapiJson', schema: { type: 'object' }, write: writeJson },
  { format: 'YAML', operationId: 'openapiYaml', schema: { type: 'string' }, write: writeYaml },
] as const

/**
 * `/openapi.json` and `/openapi.yaml`; with `?download` they come as a file. The first request loads the code that builds
 * them, and calls `options`.
 */
export function openapiPages(options: () => DocumentOptions): readonly Page[] {
  return forms.map(({ format, operationId, schema, write }) => {
    const name = `openapi.${format.toLowerCase()}`
    const mediaType = `application/${format.toLowerCase()}`
    /** Written again if the adapter is mounted under another path. */
    let latest: { readonly basePath: string; readonly document: Promise<StaticDocument> } | undefined
    const writeFor = async (basePath: string) => {
      const { openapiDocument } = await import('./document.ts')
      return staticDocument(
        await write(await openapiDocument({ ...options(), basePath })),
        `${mediaType}; charset=utf-8`,
      )
    }
    return {
      path: `/${name}`,
      description: {
        operationId,
        summary: `Returns this document as ${format}.`,
        description: 'Needs no credential. Free of charge.',
        parameters: [download],
        responses: {
          200: { description: 'The OpenAPI document.', content: { [mediaType]: { schema } } },
          304: { description: 'The document matches `If-None-Match`.' },
        },
      },
      async respond({ request: { basePath, headers, search } }) {
        if (latest?.basePath !== basePath) latest = { basePath, document: writeFor(basePath) }
        const response = await (await latest.document).respond(headers)
        if (!new URLSearchParams(search).has('download')) return response
        const disposition = `attachment; filename="fairlead-${name}"`
        return { ...response, headers: { ...response.headers, 'Content-Disposition': disposition } }
      },
    }
  })
}

async function writeJson(document: OpenapiDocument): Promise<string> {
  return JSON.stringify(document, null, 2)
}

const download: ParameterObject = {
  name: 'download',
  in: 'query',
  description: 'Whether to send the document as a download.',
  allowEmptyValue: true,
  schema: { type: 'boolean' },
}
