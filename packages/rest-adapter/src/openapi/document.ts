import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventType, ReferenceSection } from '@fairlead/core'
import type { PageDescription } from '../pages.ts'
import { quickStartPrefix, type Route } from '../routes.ts'
import type { ServiceDescription } from '../built-in-pages.ts'
import { requestHeaders, responseHeaders, securitySchemes } from './components.ts'
import { type FailureResponses, failureResponses } from './failure-responses.ts'
import type { OpenapiDocument, OperationObject } from './openapi-object.ts'
import { operationObject } from './operation-object.ts'
import { schemaCollection } from './schema-collection.ts'
import { webhookObject } from './webhook-objects.ts'

export interface DocumentOptions {
  readonly service: Pick<ServiceDescription, 'name' | 'version' | 'contact'>
  readonly routes: readonly Route[]
  readonly sections: readonly ReferenceSection[]
  /** The scopes of all features. Default: none. */
  readonly scopes?: Readonly<Record<string, string>> | undefined
  readonly eventTypes?: readonly EventType[] | undefined
  /** Those that describe themselves are in the document. */
  readonly pages: readonly { readonly path: string; readonly description?: PageDescription }[]
  /** Whether any request may be rejected with `RATE_LIMIT_EXCEEDED`. Default: false. */
  readonly limited?: boolean | undefined
  /** The public address of the service. Default: relative to the document. */
  readonly baseUrl?: string | undefined
  /** The path under which the adapter is mounted. Default: the root. */
  readonly basePath?: string | undefined
}

/**
 * The OpenAPI 3.0.3 document of all routes and pages: a projection of what they declare. Each route gets a turn of the event
 * loop, because all of them take 150 ms.
 */
export async function openapiDocument({
  service,
  routes,
  sections,
  scopes = {},
  eventTypes = [],
  pages,
  limited = false,
  baseUrl = '',
  basePath = '',
}: DocumentOptions): Promise<OpenapiDocument> {
  const schemas = schemaCollection(Object.keys(scopes))
  const failures = failureResponses(schemas, limited ? ['RATE_LIMIT_EXCEEDED'] : [])
  const exempt = failureResponses(schemas)
  const sectionOf = sectionFinder(sections)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const route of routes) {
    await nextTurn()
    for (const { path, hoist } of documentedPaths(route, sectionOf)) {
      const described = operationObject(route, { hoist, section: sectionOf(route.path).name }, { schemas, failures })
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
    }
  }
  for (const { path, description } of pages) {
    if (!description) continue
    paths[path] = { get: pageObject(sectionOf(path).name, description, description.exempt ? exempt : failures) }
  }
  const webhooks: Record<string, Record<'post', OperationObject>> = {}
  for (const event of eventTypes) {
    await nextTurn()
    webhooks[event.type] = { post: webhookObject(event, schemas) }
  }
  const responses = { ...exempt.all(), ...failures.all() }
  const described = [...routes, ...pages.filter(({ description }) => description)]
  const used = new Set(described.map(({ path }) => sectionOf(path)))
  return {
    openapi: '3.0.3',
    info: {
      title: service.name,
      version: service.version,
      description: prose,
      contact: service.contact ?? { name: service.name },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: (baseUrl.endsWith(basePath) ? baseUrl : baseUrl + basePath) || '/' }],
    // In the order of the reference.
    tags: [...sections, serviceSection]
      .filter((section) => used.has(section))
      .map(({ name, description }) => ({ name, description })),
    paths,
    ...(eventTypes.length > 0 && { 'x-webhooks': webhooks }),
    components: {
      schemas: schemas.all(),
      responses,
      headers: referredTo('headers', responseHeaders, { paths, responses }),
      parameters: referredTo('parameters', requestHeaders, paths),
      securitySchemes: securitySchemes(baseUrl),
    },
  }
}

const serviceSection: ReferenceSection = {
  name: 'Service',
  description: 'The service itself and its documents.',
  segments: [],
}

/** The section of a path, written without a prefix. */
type SectionOf = (path: string) => ReferenceSection

/** Paths that no section claims belong to the last one, `Service`. */
export function sectionFinder(sections: readonly ReferenceSection[]): SectionOf {
  return (path) => {
    const [, segment = ''] = path.split('/')
    return sections.find(({ segments }) => segments.includes(segment)) ?? serviceSection
  }
}

/** The forms in which the documents write a path: with `hoist`, the fields of the result are at the top level too. */
export function documentedPaths(
  route: { readonly path: string; readonly quickStart?: boolean },
  sectionOf: SectionOf,
): readonly { readonly path: string; readonly hoist: boolean }[] {
  const { prefix = '' } = sectionOf(route.path)
  const usual = { path: prefix + route.path, hoist: false }
  return route.quickStart ? [usual, { path: quickStartPrefix + route.path, hoist: true }] : [usual]
}

/** Those components that something refers to. */
function referredTo<Component>(
  kind: string,
  components: Readonly<Record<string, Component>>,
  where: unknown,
): Readonly<Record<string, Component>> {
  const text = JSON.stringify(where)
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  )
}

/** Describes a page, which takes no method but `GET`. */
function pageObject(
  section: string,
  { operationId, summary, description, parameters = [], secured = false, errors = [], responses }: PageDescription,
  failures: FailureResponses,
): OperationObject {
  return {
    operationId,
    tags: [section],
    summary,
    description,
    security: secured ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    responses: { ...responses, ...failures.describe([...errors, 'METHOD_NOT_ALLOWED', 'INTERNAL_ERROR']) },
  }
}

/** The introduction of the document, which holds for every operation. */
const prose = [
  'One service in front of OpenAI, Anthropic, Google, and other model providers.',
  '**Paths.** Every operation works without a prefix, under `/v1` and under `/api/v1`; this document lists each of them once. `embed` is at `/embeddings` and `/api/v1/embeddings` only. Under `/v1`, the results of `generate`, `generate/image` and `analyze` are at the top level of the body too. The pages and documents of the service have one path. `HEAD` works wherever `GET` does. Any other method is rejected with 405 and `Allow`.',
  '**Envelope.** A success is `{ success: true, data, meta }`, an error is `{ success: false, error: { code, message, details }, meta }`. Branch on `error.code`; `error.message` is for people.',
  '**Compatibility.** Responses may gain fields, and `error.code` values: ignore fields that you do not know. Requests with unknown fields are rejected.',
].join('\n\n')
