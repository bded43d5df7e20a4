import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addSection, findSection, readChangesets } from './changelog.ts'

const { version } = JSON.parse(readFileSync('packages/core/package.json', 'utf8')) as { readonly version: string }

describe('the changelog', () => {
  test('CHANGELOG.md has a section for the version of the packages', () => {
    expect(findSection(readFileSync('CHANGELOG.md', 'utf8'), version)).not.toBe('')
  })

  test('changesets become a section above those of earlier versions', () => {
    const changelog = '# Changelog\n\nAll packages share one version.\n\n## 0.1.0\n\nThe first release.\n'

    expect(
      addSection(changelog, '0.2.0', [
        { bump: 'patch', text: 'Logs name the node.' },
        { bump: 'minor', text: 'Keys have limits.\n\nSet `models`.' },
        { bump: 'minor', text: 'Users have budgets.' },
      ]),
    ).toBe(`# Changelog

All packages share one version.

## 0.2.0

### Added and changed

- Keys have limits.

  Set \`models\`.
- Users have budgets.

### Fixed

- Logs name the node.

## 0.1.0

The first release.
`)
  })

  test('the first section is below the introduction', () => {
    expect(addSection('# Changelog\n', '0.1.0', [{ bump: 'major', text: 'Old keys are rejected.' }])).toBe(
      '# Changelog\n\n## 0.1.0\n\n### Breaking\n\n- Old keys are rejected.\n',
    )
  })

  test('the notes of a version are its section, without its heading', () => {
    const changelog = '# Changelog\n\n## 0.10.0\n\nTen.\n\n### Fixed\n\n- A bug.\n\n## 0.1.0\n\nOne.\n'

    expect(findSection(changelog, '0.10.0')).toBe('Ten.\n\n### Fixed\n\n- A bug.')
    expect(findSection(changelog, '0.1.0')).toBe('One.')
    expect(() => findSection(changelog, '0.1')).toThrow('no section "## 0.1"')
  })
})

describe('changesets', () => {
  test('a changeset counts as the largest bump that it names', () => {
    const folder = folderWith({
      'b.md': "---\nfairlead: patch\n'@fairlead/core': minor\n---\n\nKeys have limits.\n",
      'a.md': "---\n'@fairlead/core': patch\n---\n\nLogs name the node.\n",
      'config.json': '{}',
    })

    expect(readChangesets(folder)).toEqual([
      { bump: 'patch', text: 'Logs name the node.' },
      { bump: 'minor', text: 'Keys have limits.' },
    ])
  })

  test('a changeset that names no package is an error with its file', () => {
    expect(() => readChangesets(folderWith({ 'lost.md': 'Keys have limits.\n' }))).toThrow('.changeset/lost.md')
  })
})

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'changesets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}
