import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAnchor } from './anchor.ts'
import { joined, table } from './markdown.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly nullable?: boolean
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

interface Content {
  readonly schema?: Schema
  readonly example?: unknown
}

interface Body {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, Content>>
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

interface OpenApi {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, never>>>>
}

/** Writes a page for each tag of the OpenAPI document, one with its schemas, and an index. */
export function writeRestReference(document: string, folder: string): void {
  const reference = new RestReference(JSON.parse(readFileSync(document, 'utf8')) as OpenApi)
  mkdirSync(folder, { recursive: true })
  for (const [name, page] of reference.pages()) writeFileSync(join(folder, `${name}.md`), page)
}

class RestReference {
  readonly #openApi: OpenApi
  constructor(openApi: OpenApi) {
    this.#openApi = openApi
  }

  *pages(): Generator<readonly [name: string, page: string]> {
    yield ['index', this.#index()]
    for (const { name, description } of this.#openApi.tags) {
      const operations = this.#operationsOf(name).map((operation) => this.#operation(operation))
      yield [toAnchor(name), [`# ${name}`, description, ...operations].join('\n\n')]
    }
    yield ['schemas', this.#schemas()]
  }

  #operationsOf(tag: string) {
    return Object.entries(this.#openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags.includes(tag))
        .map(([method, operation]) => ({ title: `${method.toUpperCase()} ${path}`, operation })),
    )
  }

  #index(): string {
    const tags = this.#openApi.tags.map(({ name }) => {
      const rows = this.#operationsOf(name).map(({ title, operation }) => [
        `[\`${title}\`](${toAnchor(name)}.md#${toAnchor(title)})`,
        operation.summary,
      ])
      return `## ${name}\n\n${table(['Operation', 'Effect'], rows)}`
    })
    const formats =
      'A running service has this reference at `/docs`, where you can try each operation, and the OpenAPI document at `/openapi.json`.'
    return ['# REST API', this.#openApi.info.description, formats, ...tags].join('\n\n')
  }

  #operation({ title, operation }: { readonly title: string; readonly operation: Operation }): string {
    const { summary, description = '', parameters = [], requestBody, responses } = operation
    const [method, path = ''] = title.split(' ')
    const plainPath = path.replace(/^\/v1(?=\/)/, '')
    const plain = `${method} ${plainPath}`
    const request =
      plainPath === path
        ? [...this.#parameters(parameters), ...(requestBody ? this.#content('Request body', requestBody) : [])]
        : [`The request is the same as for [\`${plain}\`](#${toAnchor(plain)}).`]
    return joined([`## ${title}`, summary, description, ...request, ...this.#responses(responses)])
  }

  #parameters(parameters: readonly Parameter[]): readonly string[] {
    if (parameters.length === 0) return []
    const rows = parameters
      .map((parameter) => this.#resolve(parameter))
      .map(({ name, in: place, required = false, description = '', schema }) => [
        `\`${name}\``,
        place,
        this.#type(schema),
        `${required ? '**Required.** ' : ''}${described({ ...schema, description })}`,
      ])
    return ['**Parameters**', table(['Name', 'In', 'Type', 'Description'], rows)]
  }

  #responses(responses: Operation['responses']): readonly string[] {
    const entries = Object.entries(responses).map(([status, response]) => [status, this.#resolve(response)] as const)
    const rows = entries.map(([status, { description = '' }]) => [status, description])
    const [, success] = entries.find(([status]) => status.startsWith('2')) ?? []
    return [...(success ? this.#content('Response', success) : []), '**Statuses**', table(['Status', 'Meaning'], rows)]
  }

  #content(title: string, body: Body): readonly string[] {
    const isRequest = title !== 'Response'
    return Object.entries(this.#resolve(body).content ?? {}).flatMap(([mediaType, { schema = {}, example }]) => {
      const resolved = this.#resolve(schema)
      const type = schema.$ref ? `: ${this.#type(schema)}` : ''
      return [
        `**${title}** \`${mediaType}\`${type}`,
        ...(resolved.properties ? [this.#fields(resolved, isRequest)] : [resolved.description ?? '']),
        ...(example === undefined ? [] : [exampleOf(mediaType, example)]),
      ]
    })
  }

  #fields({ properties = {}, required = [] }: Schema, isRequest: boolean): string {
    const rows = Object.entries(properties).map(([name, schema]) => [
      `\`${name}\``,
      this.#type(schema),
      `${isRequest && required.includes(name) ? '**Required.** ' : ''}${described(schema)}`,
    ])
    return table(['Field', 'Type', 'Description'], rows)
  }

  #schemas(): string {
    const schemas = Object.entries(this.#openApi.components['schemas'] ?? {}) as [string, Schema][]
    const sections = schemas.map(([name, schema]) =>
      joined([
        `## ${name}`,
        schema.description ?? '',
        schema.properties ? this.#fields(schema, /(?:Request|Input)$/.test(name)) : `Type: ${this.#type(schema)}`,
      ]),
    )
    return ['# Schemas', 'The named objects of requests and responses.', ...sections].join('\n\n')
  }

  /** A type in words, with links to named schemas. */
  #type(schema: Schema): string {
    const type = this.#typeWithoutNull(schema)
    return schema.nullable ? `${type}, or null` : type
  }

  #typeWithoutNull(schema: Schema): string {
    const { $ref, type, format, items, properties, additionalProperties, minimum, maximum } = schema
    if ($ref) return schemaLink($ref)
    const alternatives = schema.oneOf ?? schema.anyOf ?? schema.allOf
    if (alternatives) return alternatives.map((each) => this.#type(each)).join(' or ')
    if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
    if (items) return `array of ${this.#type(items)}`
    if (typeof additionalProperties === 'object') return `map of ${this.#type(additionalProperties)}`
    if (properties)
      return `object with ${Object.keys(properties)
        .map((name) => `\`${name}\``)
        .join(', ')}`
    if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum} to ${maximum}`
    if (minimum !== undefined) return `${type}, ${minimum} or more`
    return format && type === 'string' ? `${type}, ${format}` : (type ?? 'any value')
  }

  #resolve<Referring extends { readonly $ref?: string }>(value: Referring): Referring {
    if (value.$ref === undefined) return value
    const [kind = '', name = ''] = value.$ref.split('/').slice(-2)
    return this.#openApi.components[kind]?.[name] as unknown as Referring
  }
}

function schemaLink(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  return `[${name}](schemas.md#${toAnchor(name)})`
}

function described({ description = '', default: value }: Schema): string {
  return value === undefined ? description : `${description} Default: \`${JSON.stringify(value)}\`.`
}

function exampleOf(mediaType: string, example: unknown): string {
  if (typeof example !== 'string') return `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return `\`\`\`text\n${example.trimEnd()}\n\`\`\``
}
