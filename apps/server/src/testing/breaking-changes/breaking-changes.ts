import { type ApiDocument, type Change, type Operation, type Parameter, resolve } from './api-document.ts'
import { narrowed, widened } from './schema-changes.ts'

/**
 * Lists the changes of a document that break existing clients: something is gone, requests that were valid are rejected, or
 * responses lack something. Additions are not breaking.
 */
export function breakingChanges(before: ApiDocument, after: ApiDocument): readonly string[] {
  return Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const counterpart = after.paths[path]?.[method]
      if (!counterpart) return [`${name} is gone`]
      const change = { before: operation, after: counterpart, documents: [before, after] } as const
      return [...inIdentity(change), ...inParameters(change), ...inBody(change), ...inAnswers(change)].map(
        (what) => `${name}: ${what}`,
      )
    }),
  )
}

function inIdentity({ before, after, documents }: Change<Operation>): readonly string[] {
  const needed = after.security.length > 0 && !after.security.some((way) => Object.keys(way).length === 0)
  const wasNeeded = before.security.length > 0 && !before.security.some((way) => Object.keys(way).length === 0)
  return [
    ...(before.operationId === after.operationId ? [] : [`is called ${after.operationId}, not ${before.operationId}`]),
    ...(needed && !wasNeeded ? ['needs a credential'] : []),
    ...before.security
      .filter((way) => wasNeeded && needed && !after.security.some((other) => isEnough(way, other, documents)))
      .map((way) => `no longer accepts ${Object.keys(way).join(' with ')}`),
  ]
}

/** Whether a client that authenticates with the schemes of `way` satisfies `other`. */
function isEnough(way: object, other: object, [before, after]: Change<Operation>['documents']): boolean {
  const definition = ({ components }: ApiDocument, name: string) => {
    const { description: _description, ...facts } = components?.securitySchemes?.[name] ?? {}
    return JSON.stringify(facts)
  }
  return Object.keys(other).every((name) => name in way && definition(before, name) === definition(after, name))
}

function inParameters({ before, after, documents }: Change<Operation>): readonly string[] {
  const [old, present] = [collectParameters(before, documents[0]), collectParameters(after, documents[1])]
  const lost = [...old].flatMap(([key, parameter]) => {
    const counterpart = present.get(key)
    if (!counterpart) return [`the parameter ${key} is gone`]
    return [
      ...(counterpart.required && !parameter.required ? [`the parameter ${key} is required`] : []),
      ...narrowed({ before: parameter.schema, after: counterpart.schema, documents }, key),
    ]
  })
  const demanded = [...present].filter(([key, { required }]) => required && !old.has(key))
  return [...lost, ...demanded.map(([key]) => `the parameter ${key} is required`)]
}

function collectParameters({ parameters = [] }: Operation, document: ApiDocument): ReadonlyMap<string, Parameter> {
  const resolved = parameters.map((parameter) => resolve(parameter, document))
  return new Map(resolved.map((parameter) => [`${parameter.name} in ${parameter.in}`, parameter]))
}

function inBody({ before, after, documents }: Change<Operation>): readonly string[] {
  if (!before.requestBody) return after.requestBody?.required ? ['a body is required'] : []
  if (!after.requestBody) return ['the body is gone']
  const wider = after.requestBody.content
  return [
    ...(after.requestBody.required && !before.requestBody.required ? ['a body is required'] : []),
    ...Object.entries(before.requestBody.content).flatMap(([type, { schema }]) =>
      wider[type]
        ? narrowed({ before: schema, after: wider[type].schema, documents }, 'body')
        : [`${type} is not taken`],
    ),
  ]
}

/** New error statuses are not breaking: clients handle the codes that they know. */
function inAnswers({ before, after, documents }: Change<Operation>): readonly string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const old = resolve(response, documents[0])
    const found = after.responses[status]
    if (!found) return status.startsWith('2') ? [`the answer ${status} is gone`] : []
    const present = resolve(found, documents[1])
    const headers = Object.keys(old.headers ?? {}).filter((name) => !(name in (present.headers ?? {})))
    return [
      ...headers.map((name) => `${status} has no header ${name}`),
      ...Object.entries(old.content ?? {}).flatMap(([type, { schema }]) => {
        const counterpart = present.content?.[type]
        if (!counterpart) return [`${status} is not ${type}`]
        return widened({ before: schema, after: counterpart.schema, documents }, status)
      }),
    ]
  })
}
