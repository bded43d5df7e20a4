// node packages/providers/local/languages/pack-languages.ts: writes eld.js, the language detector with its smallest table.
// The package eld contains three larger ones, and is 9 MB to install.
import { join } from 'node:path'
import { build } from 'esbuild'

await build({
  stdin: { contents: "export { eld } from 'eld/extrasmall'", resolveDir: import.meta.dirname },
  outfile: join(import.meta.dirname, 'eld.js'),
  bundle: true,
  minify: true,
  format: 'esm',
  banner: {
    js: '// eld 2.1.0, copyright Nito T.M., licensed under the Apache License, Version 2.0. Made by pack-languages.ts.',
  },
})
