/** The parts of OpenAPI 3.0.3 that our document has (https://spec.openapis.org/oas/v3.0.3). */
export interface OpenapiDocument {
  readonly openapi: '3.0.3'
  readonly info: Readonly<Record<string, unknown>>
  readonly servers: readonly { readonly url: string; readonly description?: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  /** By event type. OpenAPI 3.1 calls them `webhooks`. */
  readonly 'x-webhooks'?: Readonly<Record<string, Readonly<Record<'post', OperationObject>>>>
  readonly components: Components
}

/** Operations by method, in lower case. */
export type PathItem = Readonly<Record<string, OperationObject>>

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (ParameterObject | Reference)[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  /** By status. */
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

export interface ParameterObject {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly allowEmptyValue?: boolean
  readonly schema: SchemaObject
  readonly example?: unknown
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>
  readonly content?: Content
}

export type HeaderObject = Pick<ParameterObject, 'required' | 'schema' | 'example'> & { readonly description: string }

/** By media type. */
export type Content = Readonly<Record<string, MediaType>>

export interface MediaType {
  readonly schema: SchemaObject
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

export interface SchemaObject {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly format?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaObject
  readonly items?: SchemaObject
  readonly allOf?: readonly SchemaObject[]
  readonly oneOf?: readonly SchemaObject[]
  readonly anyOf?: readonly SchemaObject[]
  readonly [keyword: string]: unknown
}

export interface Reference {
  readonly $ref: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, SchemaObject>>
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly headers: Readonly<Record<string, HeaderObject>>
  readonly parameters: Readonly<Record<string, ParameterObject>>
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
