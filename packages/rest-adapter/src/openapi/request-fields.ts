import { acceptedInput } from '@fairlead/core/adapter'
import type { Route } from '../routes.ts'
import type { ParameterObject, SchemaObject } from './openapi-object.ts'
import type { SchemaCollection } from './schema-collection.ts'

/** Where a request has the fields of an operation's input. */
export interface RequestFields {
  readonly parameters: readonly ParameterObject[]
  /** Undefined if the method has no body. */
  readonly body?: SchemaObject
}

/** The fields that the path names are in the path; the others in the query of a GET or DELETE, or else in the body. */
export function requestFields({ operation, path, method, session }: Route, schemas: SchemaCollection): RequestFields {
  const input = withSession(schemas.describe(acceptedInput(operation), 'input'), session)
  const { properties = {}, required = [] } = input
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parameters = inPath.map((name): ParameterObject => parameter('path', name, properties[name], true))
  if (method === 'GET' || method === 'DELETE') {
    const others = Object.entries(properties).filter(([name]) => !inPath.includes(name))
    const query = others.map(([name, schema]) => parameter('query', name, schema, required.includes(name)))
    return { parameters: [...parameters, ...query] }
  }
  // The body may repeat the fields of the path, so that a client can send back a record that it got.
  return { parameters, body: schemas.add(requestName(operation.name), withoutRequired(input, inPath)) }
}

/** A schema in which some fields are optional. */
export function withoutRequired({ required = [], ...rest }: SchemaObject, fields: readonly string[]): SchemaObject {
  const needed = required.filter((name) => !fields.includes(name))
  return needed.length > 0 ? { ...rest, required: needed } : rest
}

function parameter(
  location: 'path' | 'query',
  name: string,
  { description, ...schema }: SchemaObject = {},
  required: boolean,
): ParameterObject {
  return {
    name,
    in: location,
    ...(description !== undefined && { description }),
    ...(required && { required }),
    schema,
  }
}

/** `generateImage` takes a `GenerateImageRequest`. */
function requestName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`
}

const cookieMode: SchemaObject = {
  type: 'string',
  enum: ['cookie'],
  description: 'For browsers: keeps the refresh token in a cookie that scripts cannot read, instead of in bodies.',
}

/** Core knows only the token: the cookie mode belongs to this transport. */
function withSession(input: SchemaObject, session: Route['session']): SchemaObject {
  if (session === undefined || session === 'ends') return input
  const { properties, ...rest } = withoutRequired(input, ['refresh_token'])
  return { ...rest, properties: { ...properties, session: cookieMode } }
}
