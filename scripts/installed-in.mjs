import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Counts what an installation put into a folder. Does not follow links, because pnpm links each package many times.
 * @param {string} folder
 * @returns {{ packages: number, files: number, bytes: number }}
 */
export function installedIn(folder) {
  const counts = { packages: 0, files: 0, bytes: 0 }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const inner = installedIn(path)
      counts.packages += inner.packages
      counts.files += inner.files
      counts.bytes += inner.bytes
    } else if (entry.isFile()) {
      counts.files += 1
      counts.bytes += statSync(path).size
      if (entry.name === 'package.json' && /node_modules[/\\](@[^/\\]+[/\\])?[^/\\]+$/.test(folder))
        counts.packages += 1
    }
  }
  return counts
}
