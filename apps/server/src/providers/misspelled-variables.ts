import { builtInProviders } from './built-in-providers.ts'
import type { Environment } from './http-provider.ts'

/** Names for a key that other products use, after the name of the provider. */
const keyEndings = new Set(['KEY', 'APIKEY', 'TOKEN', 'APITOKEN', 'SECRET', 'SECRETKEY', 'APISECRET', 'KEYAPI'])
/** Names of Google's other products, so that only typos count: `GOOGLE_SECRET` belongs to logins. */
const broadVendors = new Set(['GOOGLE'])
/** Other names of providers. */
const otherNames: Readonly<Record<string, string>> = { CLAUDE: 'ANTHROPIC' }
/** Shorter names differ in one letter from other vendors' names. */
const minVendorLength = 6

/**
 * A warning for each variable that looks like a misspelled one of a provider which is not enabled. Only for providers that
 * the environment enables: a configuration file names its variables itself.
 */
export function misspelledVariables(environment: Environment): readonly string[] {
  const variables = Object.values(builtInProviders).flatMap(({ variables: own = [] }) => own)
  const known = new Set(variables.flat())
  const missing = variables.filter((names) => !names.some((name) => environment[name]))
  return Object.entries(environment).flatMap(([name, value]) => {
    if (!value || known.has(name)) return []
    const meant = missing.flat().find((variable) => isMisspelling(name, variable))
    return meant === undefined ? [] : [`Unknown environment variable ${name}; did you mean ${meant}?`]
  })
}

/** @param variable ends with `_API_KEY`, `_BASE_URL`, or `_HOST` */
function isMisspelling(name: string, variable: string): boolean {
  const [, vendor = '', ending = ''] = /^(.*?)_(API_KEY|BASE_URL|HOST)$/.exec(variable) ?? []
  const [given, wanted, prefix] = [letters(name), letters(variable), letters(vendor)]
  if (given === wanted) return true
  if (ending === 'API_KEY' && !broadVendors.has(vendor)) {
    const own = letters(otherNames[readVendor(name)] ?? '') === prefix ? readVendor(name) : prefix
    if (given.startsWith(own) && keyEndings.has(given.slice(own.length))) return true
  }
  // A digit or a plural names several keys, for another program.
  if (/[\dS]$/.test(given)) return false
  return (prefix.length >= minVendorLength || given.startsWith(prefix)) && isOneSlip(given, wanted)
}

function letters(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** The part of a name before its first underscore. */
function readVendor(name: string): string {
  return name.split('_', 1)[0] ?? ''
}

/** Whether one letter is wrong, missing, or added, or two are swapped. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === [...right].toReversed().join(''))
}
