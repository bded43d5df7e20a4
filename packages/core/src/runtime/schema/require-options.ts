import { nearest } from './names.ts'

/**
 * Checks the options of a factory that programs without types call too. Throws a `TypeError` where they are not an
 * object, or have a name that is not known, with the nearest known one.
 *
 * @param example a correct call, for the message
 * @example
 *   requireOptions(options, ['apiKey', 'baseUrl'], "acme({ apiKey: '…' })")
 */
export function requireOptions(options: unknown, known: readonly string[], example: string): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`The options must be an object: ${example}`)
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const suggestion = nearest(unknown, known)
  const hint = suggestion === undefined ? `the options are ${known.join(', ')}` : `did you mean "${suggestion}"?`
  throw new TypeError(`${unknown}: is not a known option; ${hint}`)
}

/** Checks the first argument of an adapter. Throws a `TypeError` where it is not a core. */
export function requireCore(core: unknown, example: string): void {
  if (typeof core === 'object' && core !== null && 'operations' in core && Array.isArray(core.operations)) return
  throw new TypeError(`The first argument must be the core of what createFairlead returns: ${example}`)
}
