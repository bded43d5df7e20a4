import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import type { OpenapiDocument, SchemaObject } from '../openapi/openapi-object.ts'

/** Validates bodies strictly against the schemas of an OpenAPI document: an undocumented field is a violation. */
export interface ResponseSchemas {
  violations(schema: SchemaObject, body: unknown): readonly string[]
  /** Of an error response of any operation, by its code. */
  errorViolations(body: unknown): readonly string[]
}

/** The schemas of OpenAPI 3.0 are JSON Schema draft 4 with `nullable`. */
export function responseSchemas(document: OpenapiDocument): ResponseSchemas {
  const ajv = new Ajv.default({ allErrors: true, strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ id: 'document', components: strict(document.components) } as object, 'document')
  const compiled = new WeakMap<SchemaObject, ReturnType<typeof ajv.compile>>()
  const schemasByCode = new Map(errorSchemas(document))

  const violations: ResponseSchemas['violations'] = (schema, body) => {
    let validate = compiled.get(schema)
    if (!validate) compiled.set(schema, (validate = ajv.compile(withResolvedReferences(strict(schema)) as object)))
    if (validate(body)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
  }
  return {
    violations,
    errorViolations(body) {
      const { error } = (body ?? {}) as { readonly error?: { readonly code?: string } }
      const schema = schemasByCode.get(error?.code ?? '')
      return schema ? violations(schema, body) : [`the code ${error?.code} is not in docs/openapi.json`]
    },
  }
}

function errorSchemas({ components }: OpenapiDocument): [string, SchemaObject][] {
  return Object.values(components.responses).flatMap(({ content }) => {
    const schema = content?.['application/json']?.schema
    const codes = schema?.properties?.['error']?.properties?.['code']?.enum ?? []
    return schema ? codes.map((code): [string, SchemaObject] => [String(code), schema]) : []
  })
}

/** Forbids undocumented fields. The document itself allows them, because responses can gain fields. */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict)
  if (typeof node !== 'object' || node === null) return node
  const members = Object.fromEntries(Object.entries(node).map(([key, member]) => [key, strict(member)]))
  const closed = 'properties' in node && !('additionalProperties' in node)
  return closed ? { ...members, additionalProperties: false } : members
}

/** Resolves references of a schema in the document. */
function withResolvedReferences(node: unknown): unknown {
  return JSON.parse(JSON.stringify(node).replaceAll('"#/components/', '"document#/components/'))
}
