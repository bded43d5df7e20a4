import type { PageDescription } from '../pages.ts'
import type { Route } from '../routes.ts'
import type { ServiceDescription } from '../service-page.ts'
import { failureResponses } from './failure-responses.ts'
import { headers } from './headers.ts'
import type { OpenapiDocument, OperationObject } from './openapi-object.ts'
import { operationObject } from './operation-object.ts'
import { pageObject } from './page-object.ts'
import { parameters } from './parameters.ts'
import { prose } from './prose.ts'
import { schemaCollection } from './schema-collection.ts'
import { documentedPaths, sectionFinder, usedSections } from './sections.ts'
import type { ReferenceSection } from '@fairlead/core'
import { securitySchemes } from './security-schemes.ts'

export interface DocumentOptions {
  readonly service: Pick<ServiceDescription, 'name' | 'version'>
  readonly routes: readonly Route[]
  readonly sections: readonly ReferenceSection[]
  /** Those that describe themselves are in the document. */
  readonly pages: readonly { readonly path: string; readonly description?: PageDescription }[]
  /** Where the outside reaches the service. Default: where the document was had. */
  readonly baseUrl?: string | undefined
}

/** The OpenAPI 3.0.3 document of all routes and pages: a projection of what they declare. */
export function openapiDocument({ service, routes, sections, pages, baseUrl }: DocumentOptions): OpenapiDocument {
  const schemas = schemaCollection()
  const failures = failureResponses(schemas)
  const sectionOf = sectionFinder(sections)
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const route of routes) {
    for (const { path, hoist } of documentedPaths(route, sectionOf)) {
      const described = operationObject(route, { hoist }, { schemas, failures, sectionOf })
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
    }
  }
  for (const { path, description } of pages) {
    if (description) paths[path] = { get: pageObject(sectionOf(path).name, description, failures) }
  }
  const responses = failures.all()
  const described = [...routes, ...pages.filter(({ description }) => description)].map(({ path }) => path)
  return {
    openapi: '3.0.3',
    info: {
      title: service.name,
      version: service.version,
      description: prose,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: usedSections(sections, sectionOf, described).map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.all(),
      responses,
      headers: referredTo('headers', headers, { paths, responses }),
      parameters: referredTo('parameters', parameters, paths),
      securitySchemes: securitySchemes(baseUrl),
    },
  }
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
