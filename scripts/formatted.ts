import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * Formats a generated text as the repository is formatted, so that `npm run check` accepts it.
 * @param name its extension says in which language the text is
 */
export function formatted(text: string, name: string): string {
  const oxfmt = resolve(root, 'node_modules/oxfmt/bin/oxfmt')
  const { stdout, stderr } = spawnSync(process.execPath, [oxfmt, `--stdin-filepath=${name}`], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return stdout
}
