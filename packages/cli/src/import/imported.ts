import type { FairleadConfig, ProviderUse } from '@fairlead/server'
import type { Notes } from './notes.ts'

/** The result of an import. */
export interface Imported {
  readonly config: ImportedConfig
  readonly notes: Notes
}

/** The part of a configuration that imports write. */
export type ImportedConfig = Pick<FairleadConfig, 'routes' | 'retries' | 'circuit' | 'timeouts' | 'defaults'> & {
  readonly providers: readonly ProviderUse[]
}

/** A value, or the environment variable that has it. */
export type Setting = string | { readonly env: string }

/** The text of a configuration file in JSON. */
export function toJson(config: ImportedConfig): string {
  return `${JSON.stringify(config, null, 2)}\n`
}

/** The text of `fairlead.config.ts`. */
export function toTypeScript(config: ImportedConfig): string {
  return `export default ${literal(config, '')}\n`
}

const lineWidth = 110

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const inner = `${indent}  `
  const items = members.map(([name, member]) => (isList ? '' : `${key(name)}: `) + literal(member, inner))
  const line = isList ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  // The outermost objects are easier to edit with a line for each member.
  const isShort = indent.length > 0 && line.length + indent.length <= lineWidth && !line.includes('\n')
  return isShort ? line : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
