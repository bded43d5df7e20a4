import { operations } from '@fairlead/testing/workspace'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenapiDocument, OperationObject, ResponseObject } from '../openapi/openapi-object.ts'
import { prefixes } from '../routes.ts'
import { type ResponseSchemas, responseSchemas } from './response-schemas.ts'
import type { CapturedResponse } from './captured-response.ts'

const committed = join(import.meta.dirname, '../../../../docs/openapi.json')
let loaded: { readonly document: OpenapiDocument; readonly schemas: ResponseSchemas } | undefined

function loadDocument() {
  if (loaded) return loaded
  const document = JSON.parse(readFileSync(committed, 'utf8')) as OpenapiDocument
  return (loaded = { document, schemas: responseSchemas(document) })
}

/** Returns how a response differs from the committed OpenAPI document. */
export function responseViolations(captured: CapturedResponse): readonly string[] {
  const { document, schemas } = loadDocument()
  const { pathname } = captured
  const operation = findOperation(document, captured.method, pathname)
  const documented = operation?.responses[String(captured.status)]
  // Preflight requests are not documented.
  if (captured.method === 'OPTIONS') return []
  if (!operation) {
    // An unknown path or method has no operation that could document it.
    if (![404, 405, 501].includes(captured.status)) return ['the operation is not in docs/openapi.json']
    return captured.bodyless ? [] : schemas.errorViolations(captured.json)
  }
  if (!documented) return ['the status is not in docs/openapi.json']
  const response = resolveResponse(document, documented)
  return [...missingHeaders(document, response, captured), ...bodyViolations(schemas, response, captured)]
}

function findOperation({ paths }: OpenapiDocument, method: string, pathname: string): OperationObject | undefined {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  const withoutPrefix = prefixes.map((prefix) =>
    pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname,
  )
  // The path of the request comes first, because the quick-start form is documented separately.
  const exact = paths[pathname]?.[name] ?? findPattern(paths, name, pathname)
  if (exact) return exact
  const otherForms = withoutPrefix.flatMap((path) => prefixes.map((prefix) => prefix + path))
  const found = otherForms.map((form) => paths[form]?.[name] ?? findPattern(paths, name, form))
  // Pages have one path, without a prefix.
  return found.find((operation) => operation && operationIds.has(operation.operationId))
}

const operationIds: ReadonlySet<string> = new Set(Object.keys(operations))

function findPattern(paths: OpenapiDocument['paths'], method: string, pathname: string): OperationObject | undefined {
  const matching = Object.entries(paths).find(
    ([pattern, item]) => pattern.includes('{') && item[method] && toPattern(pattern).test(pathname),
  )
  return matching?.[1][method]
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

function resolveResponse({ components }: OpenapiDocument, response: OperationObject['responses'][string]) {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.split('/').at(-1) ?? ''] as ResponseObject
}

function missingHeaders(
  { components }: OpenapiDocument,
  response: ResponseObject,
  { headers }: CapturedResponse,
): string[] {
  const required = Object.entries(response.headers ?? {}).filter(([name, header]) => {
    const { required: needed } = '$ref' in header ? (components.headers[name] ?? {}) : header
    return needed
  })
  return required.flatMap(([name]) => (headers.has(name) ? [] : [`the header ${name} is missing`]))
}

function bodyViolations(
  schemas: ResponseSchemas,
  { content = {} }: ResponseObject,
  captured: CapturedResponse,
): readonly string[] {
  const { mediaType, bodyless } = captured
  if (mediaType === undefined) return Object.keys(content).length === 0 || bodyless ? [] : ['the body is missing']
  const media = content[mediaType]
  if (!media) return [`${mediaType} is not in docs/openapi.json`]
  if (bodyless) return []
  if (mediaType === 'application/json') return schemas.violations(media.schema, captured.json)
  if (mediaType !== 'text/event-stream') return []
  const whole = content['application/json']?.schema
  return captured.events.flatMap(({ event, data }) => {
    if (event === 'done' && whole) return schemas.violations(whole, data)
    return event === 'error' ? schemas.errorViolations(data) : []
  })
}
