import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** A file of `.changeset`: a line of the next changelog. */
export interface Changeset {
  readonly bump: Bump
  readonly text: string
}

type Bump = 'major' | 'minor' | 'patch'

const titles: Readonly<Record<Bump, string>> = { major: 'Breaking', minor: 'Added and changed', patch: 'Fixed' }

export function readChangesets(folder: string): readonly Changeset[] {
  const files = globSync('*.md', { cwd: folder }).toSorted()
  return files.map((file) => parseChangeset(file, readFileSync(`${folder}/${file}`, 'utf8')))
}

function parseChangeset(file: string, content: string): Changeset {
  const [, head, text = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(content) ?? []
  const bumps = head === undefined ? [] : Object.values(parse(head) as Readonly<Record<string, Bump>>)
  const bump = (['major', 'minor', 'patch'] as const).find((each) => bumps.includes(each))
  if (!bump) throw new Error(`.changeset/${file} names no package: write it with npm run changeset`)
  return { bump, text: text.trim() }
}

/** `changelog` with a section for `version` above the earlier ones. */
export function addSection(changelog: string, version: string, changesets: readonly Changeset[]): string {
  const parts = (['major', 'minor', 'patch'] as const).flatMap((bump) => {
    const lines = changesets.filter((each) => each.bump === bump).map(({ text }) => toListItem(text))
    return lines.length === 0 ? [] : [`### ${titles[bump]}`, lines.join('\n')]
  })
  const section = [`## ${version}`, ...parts].join('\n\n')
  const start = changelog.search(/^## /m)
  return start < 0
    ? `${changelog.trimEnd()}\n\n${section}\n`
    : `${changelog.slice(0, start)}${section}\n\n${changelog.slice(start)}`
}

function toListItem(text: string): string {
  return `- ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`
}

/** The text below the heading of `version`. Throws an error if the changelog has none. */
export function findSection(changelog: string, version: string): string {
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`${version}\n`))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  return section.slice(version.length).trim()
}
