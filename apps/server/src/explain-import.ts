import { isNativeError } from 'node:util/types'
import { ConfigError } from './config.ts'

/** Imports a module that the operator wrote or installed. @param where the start of the message if it fails */
export async function importModule(url: URL, name: string, where = ''): Promise<Readonly<Record<string, unknown>>> {
  hideTypeWarning()
  try {
    return await import(url.href)
  } catch (error) {
    throw new ConfigError(`${where}${explainImport(name, error)}`, { cause: error })
  }
}

let isHidden = false

/** Node warns when it parses an ES module twice because package.json has no type. The module is small, and read once. */
function hideTypeWarning(): void {
  if (isHidden) return
  isHidden = true
  const listeners = process.listeners('warning')
  process.removeAllListeners('warning')
  process.on('warning', (warning) => {
    if ('code' in warning && warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') return
    for (const listener of listeners) listener(warning)
  })
}

/** Explains why a module cannot be imported, without the lines of its code that messages of parsers quote. */
function explainImport(name: string, error: unknown): string {
  const { code, message } = describe(error)
  switch (code) {
    case 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX':
      return (
        `${name} uses TypeScript syntax that cannot be erased, such as an enum, a namespace or a parameter property: ` +
        'use plain values and types, or compile it to a .js file'
      )
    case 'ERR_INVALID_TYPESCRIPT_SYNTAX':
      return `${name} is not valid TypeScript: ${findLocation(error, message)}`
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return `this version of Node.js cannot load ${name}: write it as .js, .mjs or .json`
    case 'ERR_MODULE_NOT_FOUND':
      return missing(name, message)
    default:
      if (!(error instanceof SyntaxError)) return `${name} failed: ${message}`
      return esmAsCommonJs.test(message)
        ? `${name} is loaded as CommonJS: set "type": "module" in the nearest package.json`
        : `${name} is not valid JavaScript: ${findLocation(error, message)}`
  }
}

/** Node's error for `import` and `export` under a package.json with "type": "commonjs", which `npm init` writes. */
const esmAsCommonJs = /^(?:Cannot use import statement outside a module|Unexpected token 'export')/

function describe(error: unknown): { readonly code: unknown; readonly message: string } {
  if (!isNativeError(error)) return { code: undefined, message: 'it threw a value that is not an Error' }
  return { code: 'code' in error ? error.code : undefined, message: error.message }
}

function missing(name: string, message: string): string {
  const [, wanted] = /^Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  if (wanted === undefined || wanted.startsWith('/'))
    return `${name} imports a file that does not exist: ${wanted ?? '?'}`
  const fix = `run npm install ${wanted} in the folder of the file`
  const types = wanted === '@fairlead/server' ? '; or export a plain object: defineConfig only adds types' : ''
  return `${name} imports ${wanted}, which is not installed there: ${fix}${types}`
}

/** The first line of a parser's message, with the line number if the stack starts with it. */
function findLocation(error: unknown, message: string): string {
  const [, line] = /^\/.*:(\d+)\n/.exec((isNativeError(error) && error.stack) || '') ?? []
  const [words = ''] = message.trim().split('\n')
  return line === undefined ? words : `${words} (line ${line})`
}
