import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Each published site has this file: without it, GitHub Pages leaves out files that Jekyll ignores. */
const marker = '.nojekyll'

/**
 * Builds the site into a folder: at its root, and again below `v/`, where the versions before stay. Throws if the
 * folder has files that do not belong to a published site, because they would be deleted.
 *
 * @param base the path of the folder's URL
 */
export function publish(folder: string, base: string, version: string): void {
  mkdirSync(folder, { recursive: true })
  const old = readdirSync(folder).filter((name) => name !== 'v' && name !== '.git')
  if (old.length > 0 && !existsSync(join(folder, marker)))
    throw new Error(`${folder} has files that are not a published site: name an empty folder, or that of the site.`)
  for (const name of old) rmSync(join(folder, name), { recursive: true })
  const versions = join(folder, 'v')
  rmSync(join(versions, version), { recursive: true, force: true })
  cpSync(build(base), folder, { recursive: true })
  cpSync(build(`${base}v/${version}/`), join(versions, version), { recursive: true })
  writeFileSync(join(folder, marker), '')
  writeFileSync(
    join(versions, 'index.html'),
    versionList(readdirSync(versions).filter((name) => name !== 'index.html')),
  )
}

/**
 * Builds in a separate process, because VitePress keeps the first base path of a process. Returns the site's folder.
 */
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
