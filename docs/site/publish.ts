import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds the site into a folder: at its root, and again below `v/`, where the versions before stay.
 *
 * @param base the path of the folder's URL
 */
export function publish(folder: string, base: string, version: string): void {
  const versions = join(folder, 'v')
  mkdirSync(versions, { recursive: true })
  for (const name of readdirSync(folder))
    if (name !== 'v' && name !== '.git') rmSync(join(folder, name), { recursive: true })
  rmSync(join(versions, version), { recursive: true, force: true })
  cpSync(build(base), folder, { recursive: true })
  cpSync(build(`${base}v/${version}/`), join(versions, version), { recursive: true })
  // GitHub Pages leaves out what Jekyll would ignore.
  writeFileSync(join(folder, '.nojekyll'), '')
  writeFileSync(
    join(versions, 'index.html'),
    versionList(readdirSync(versions).filter((name) => name !== 'index.html')),
  )
}

/** Builds in a process of its own, because VitePress keeps the first base path of a process. Returns the site's folder. */
function build(base: string): string {
  execFileSync(process.execPath, [join(import.meta.dirname, 'run.ts'), 'build', base], { stdio: 'inherit' })
  return join(import.meta.dirname, '../.vitepress/dist')
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
