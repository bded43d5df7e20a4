import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSite } from './build.ts'

/**
 * Builds the site into a folder: at its root, and again below `v/`, where the versions before stay.
 *
 * @param base the path of the folder's URL
 */
export async function publish(root: string, folder: string, base: string, version: string): Promise<void> {
  const versions = join(folder, 'v')
  mkdirSync(versions, { recursive: true })
  for (const name of readdirSync(folder))
    if (name !== 'v' && name !== '.git') rmSync(join(folder, name), { recursive: true })
  rmSync(join(versions, version), { recursive: true, force: true })
  cpSync(await buildSite(root, base), folder, { recursive: true })
  cpSync(await buildSite(root, `${base}v/${version}/`), join(versions, version), { recursive: true })
  // GitHub Pages leaves out what Jekyll would ignore.
  writeFileSync(join(folder, '.nojekyll'), '')
  writeFileSync(
    join(versions, 'index.html'),
    versionList(readdirSync(versions).filter((name) => name !== 'index.html')),
  )
}

function versionList(versions: readonly string[]): string {
  const newestFirst = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  const items = newestFirst.map((version) => `<li><a href="${version}/">${version}</a></li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width">
<title>Versions of Fairlead</title>
<body style="font-family: system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem">
<h1>Versions of Fairlead</h1>
<ul>
${items.join('\n')}
</ul>
`
}
