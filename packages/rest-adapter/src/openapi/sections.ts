import type { ReferenceSection } from '@fairlead/core'
import { quickStartPrefix } from '../routes.ts'

const service: ReferenceSection = {
  name: 'Service',
  description: 'The service itself and its documents.',
  segments: [],
}

/** The section of a path, written without a prefix. */
export type SectionOf = (path: string) => ReferenceSection

/** Paths that no section claims belong to the last one, `Service`. */
export function sectionFinder(sections: readonly ReferenceSection[]): SectionOf {
  return (path) => {
    const [, segment = ''] = path.split('/')
    return sections.find(({ segments }) => segments.includes(segment)) ?? service
  }
}

/** The sections that have paths, in the order of the reference. */
export function usedSections(
  sections: readonly ReferenceSection[],
  sectionOf: SectionOf,
  paths: readonly string[],
): readonly ReferenceSection[] {
  const used = new Set(paths.map(sectionOf))
  return [...sections, service].filter((section) => used.has(section))
}

/** A form in which the documents write a path. */
export interface DocumentedPath {
  readonly path: string
  /** Whether the result's own fields stand at the top level too. */
  readonly hoist: boolean
}

export function documentedPaths(
  route: { readonly path: string; readonly quickStart?: boolean },
  sectionOf: SectionOf,
): DocumentedPath[] {
  const { prefix = '' } = sectionOf(route.path)
  const usual = { path: prefix + route.path, hoist: false }
  return route.quickStart ? [usual, { path: quickStartPrefix + route.path, hoist: true }] : [usual]
}
