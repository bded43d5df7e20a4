import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Example } from './examples.ts'
import { tryCommand } from './run.ts'

const compilers = { 'TypeScript 5.9': 'typescript-5.9', 'TypeScript 7': 'typescript' }
const modules = { node16: 'node16', nodenext: 'nodenext', preserve: 'bundler' }

/** A program of three lines, whose types are checked together with all that it imports. */
const shortProgram = `import { createFairlead } from '@fairlead/core'
const fairlead = createFairlead({ providers: [] })
console.log(fairlead.generate({ model: 'any', prompt: 'hello' }).then(({ content }) => content))
`

/** CommonJS that requires the packages, which Node allows since 22.12. */
const commonJs = `const { createFairlead } = require('@fairlead/core')
if (typeof createFairlead !== 'function') throw new Error('createFairlead is missing')
`

/** Their declarations need `@types/express`, and `@types/json-schema` for a package of the AI SDK. */
const needsOtherTypes = /^@fairlead\/(server|provider-ai-sdk)/

/** Imports every entry point, and compiles the examples with each compiler and a short program with each resolution. */
export function compileFaults(
  stranger: string,
  faces: readonly string[],
  examples: readonly Example[],
): readonly string[] {
  writeFileSync(join(stranger, 'all.ts'), importAll(faces))
  writeFileSync(join(stranger, 'typed.ts'), importAll(faces.filter((face) => !needsOtherTypes.test(face))))
  writeFileSync(join(stranger, 'short.ts'), shortProgram)
  writeFileSync(join(stranger, 'require.cjs'), commonJs)
  const faults = [
    tryCommand(process.execPath, ['all.ts'], stranger),
    tryCommand(process.execPath, ['require.cjs'], stranger),
  ]
  for (const compiler of Object.values(compilers)) {
    const options = { types: ['node'], typeRoots: [resolve('node_modules/@types')] }
    for (const [module, moduleResolution] of Object.entries(modules)) {
      const strict = { ...options, module, moduleResolution, skipLibCheck: false }
      faults.push(compile(stranger, compiler, strict, ['short.ts', ...(module === 'nodenext' ? ['typed.ts'] : [])]))
    }
    const files = ['all.ts', ...examples.map(({ file }) => file)]
    faults.push(compile(stranger, compiler, { ...options, module: 'nodenext', skipLibCheck: true }, files))
  }
  return faults.filter((fault) => fault !== undefined)
}

function importAll(faces: readonly string[]): string {
  return faces.map((face, index) => `import * as face${index} from '${face}'\nvoid face${index}\n`).join('')
}

function compile(stranger: string, compiler: string, options: object, files: readonly string[]): string | undefined {
  const compilerOptions = { target: 'es2024', strict: true, noEmit: true, ...options }
  writeFileSync(join(stranger, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const fault = tryCommand(process.execPath, [resolve(`node_modules/${compiler}/bin/tsc`)], stranger)
  return fault && `${compiler} with ${JSON.stringify(options)}: ${fault}`
}
