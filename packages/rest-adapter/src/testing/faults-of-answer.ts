import { operations } from '@fairlead/core'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenapiDocument, OperationObject, ResponseObject } from '../openapi/openapi-object.ts'
import { prefixes } from '../routes.ts'
import { type AnswerSchemas, answerSchemas } from './answer-schemas.ts'
import type { SeenAnswer } from './seen-answer.ts'

const committed = join(import.meta.dirname, '../../../../docs/openapi.json')
let known: { readonly document: OpenapiDocument; readonly schemas: AnswerSchemas } | undefined

function loadDocument() {
  if (known) return known
  const document = JSON.parse(readFileSync(committed, 'utf8')) as OpenapiDocument
  return (known = { document, schemas: answerSchemas(document) })
}

/** What an answer has that the document in the tree has not, or lacks. */
export function faultsOfAnswer(seen: SeenAnswer): readonly string[] {
  const { document, schemas } = loadDocument()
  const { pathname } = seen
  const operation = findOperation(document, seen.method, pathname)
  const documented = operation?.responses[String(seen.status)]
  // What browsers ask before is between them and the server.
  if (seen.method === 'OPTIONS') return []
  if (!operation) {
    // What leads nowhere, or comes by another method, has no operation that could describe it.
    if (![404, 405, 501].includes(seen.status)) return ['no such operation is in docs/openapi.json']
    return seen.bodyless ? [] : schemas.faultsOfFailure(seen.json)
  }
  if (!documented) return ['no such status is in docs/openapi.json']
  const response = resolveResponse(document, documented)
  return [...missingHeaders(document, response, seen), ...bodyFaults(schemas, response, seen)]
}

function findOperation({ paths }: OpenapiDocument, method: string, pathname: string): OperationObject | undefined {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  const bare = prefixes.map((prefix) => (pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname))
  // The path as it was asked for comes first: the quick-start form has a description of its own.
  const asWritten = paths[pathname]?.[name] ?? findPattern(paths, name, pathname)
  if (asWritten) return asWritten
  const otherForms = bare.flatMap((path) => prefixes.map((prefix) => prefix + path))
  const found = otherForms.map((form) => paths[form]?.[name] ?? findPattern(paths, name, form))
  // Pages have one path, and stand under no prefix.
  return found.find((operation) => operation && operationIds.has(operation.operationId))
}

const operationIds: ReadonlySet<string> = new Set(Object.keys(operations))

function findPattern(paths: OpenapiDocument['paths'], method: string, pathname: string): OperationObject | undefined {
  const matching = Object.entries(paths).find(
    ([pattern, item]) => pattern.includes('{') && item[method] && patternOf(pattern).test(pathname),
  )
  return matching?.[1][method]
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
}

function resolveResponse({ components }: OpenapiDocument, response: OperationObject['responses'][string]) {
  if (!('$ref' in response)) return response
  return components.responses[response.$ref.split('/').at(-1) ?? ''] as ResponseObject
}

function missingHeaders({ components }: OpenapiDocument, response: ResponseObject, { headers }: SeenAnswer): string[] {
  const required = Object.entries(response.headers ?? {}).filter(([name, header]) => {
    const { required: needed } = '$ref' in header ? (components.headers[name] ?? {}) : header
    return needed
  })
  return required.flatMap(([name]) => (headers.has(name) ? [] : [`the header ${name} is missing`]))
}

function bodyFaults(schemas: AnswerSchemas, { content = {} }: ResponseObject, seen: SeenAnswer): readonly string[] {
  const { mediaType, bodyless } = seen
  if (mediaType === undefined) return Object.keys(content).length === 0 || bodyless ? [] : ['it has no body']
  const media = content[mediaType]
  if (!media) return [`${mediaType} is not in docs/openapi.json`]
  if (bodyless) return []
  if (mediaType === 'application/json') return schemas.faults(media.schema, seen.json)
  if (mediaType !== 'text/event-stream') return []
  const whole = content['application/json']?.schema
  return seen.events.flatMap(({ type, data }) => {
    if (type === 'done' && whole) return schemas.faults(whole, data)
    return type === 'error' ? schemas.faultsOfFailure(data) : []
  })
}
