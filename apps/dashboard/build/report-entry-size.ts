import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Maximum size of the scripts that the first page waits for, in bytes after gzip. */
const maxEntryBytes = 150_000

/** Prints the size of the entry script with everything that it imports statically. Fails the build if it is too large. */
export function reportEntrySize(): Plugin {
  return {
    name: 'report-entry-size',
    apply: 'build',
    generateBundle(_options, bundle) {
      const needed = new Set<string>()
      const need = (fileName: string) => {
        const file = bundle[fileName]
        if (file?.type !== 'chunk' || needed.has(fileName)) return
        needed.add(fileName)
        file.imports.forEach(need)
      }
      for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) need(file.fileName)
      let bytes = 0
      for (const fileName of needed) {
        const file = bundle[fileName]
        if (file?.type === 'chunk') bytes += gzipSync(file.code).length
      }
      const size = `${(bytes / 1000).toFixed(1)} kB of ${maxEntryBytes / 1000} kB`
      if (bytes > maxEntryBytes) this.error(`the entry scripts are too large after gzip: ${size}`)
      this.info(`entry scripts after gzip: ${size}`)
    },
  }
}
