import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Template } from './template.ts'

/** Files that package managers would take for files of the package itself. */
const renamed: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  _LICENSE: 'LICENSE',
  '_package.json': 'package.json',
}

/** Writes the files of a template to a new folder, under the names of the project. Throws if the folder has files. */
export function writeProject(template: Template, name: string, directory: string): void {
  const packageName = template.packageName(name)
  const target = join(directory, packageName)
  if (existsSync(target) && !isEmptyFolder(target)) {
    throw new Error(`${packageName} exists already, and is not an empty folder. Choose another name, or move it away.`)
  }
  const { version } = JSON.parse(readFileSync(new URL('package.json', template.folder), 'utf8')) as {
    readonly version: string
  }
  const source = fileURLToPath(new URL('template', template.folder))
  const files = filesIn(source).map((path) => ({ path, written: template.rename(renamed[path] ?? path, name) }))
  if (new Set(files.map(({ written }) => written)).size < files.length) {
    throw new Error(`The project has another file called ${name}. Choose another name.`)
  }
  for (const { path, written } of files) {
    const text = template.rename(readFileSync(join(source, path), 'utf8'), name)
    mkdirSync(dirname(join(target, written)), { recursive: true })
    writeFileSync(join(target, written), adapt(written, text, version))
  }
}

function isEmptyFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0
}

/** The paths of the files in a folder, without what `npm install` and a build write there. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => !/(^|[\\/])(node_modules|dist)[\\/]/.test(path))
}

function adapt(path: string, text: string, version: string): string {
  if (path === 'package.json') return withVersion(text, version)
  // The tests of Fairlead's own pages run their code blocks, except for these.
  return path.endsWith('.md') ? text.replaceAll(/^(```\w+) norun$/gm, '$1') : text
}

/** All packages of Fairlead have the version of the command. */
function withVersion(manifest: string, version: string): string {
  return manifest.replace(/("@fairlead\/[\w-]+": ")[^"]*"/g, `$1^${version}"`)
}
