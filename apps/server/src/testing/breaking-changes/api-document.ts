// The parts of an OpenAPI document that describe requests and responses.

export interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly [keyword: string]: unknown
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface DocumentedResponse {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: NonNullable<DocumentedResponse['content']> }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: {
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string }>>
    readonly schemas?: object
  }
}

/** A change, with the documents that contain it. */
export interface Change<Thing> {
  readonly before: Thing
  readonly after: Thing
  readonly documents: readonly [before: ApiDocument, after: ApiDocument]
}

/** The target of a reference, with or without a description beside it. */
export function resolve<Thing extends { readonly $ref?: string; readonly allOf?: unknown }>(
  thing: Thing,
  document: ApiDocument,
): Thing {
  const [part] = (thing.allOf as readonly Thing[] | undefined) ?? []
  if (part) return resolve(part, document)
  if (thing.$ref === undefined) return thing
  let found: unknown = document
  for (const step of thing.$ref.split('/').slice(1)) found = (found as Readonly<Record<string, unknown>>)[step]
  return found as Thing
}
