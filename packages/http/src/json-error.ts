import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

/**
 * Says what is wrong with a text that is not JSON, and where: `comma expected at line 3 column 1`. The messages of
 * `JSON.parse` repeat the text, which may contain a secret. Undefined where the fault is not found.
 */
export function describeJsonError(text: string): string | undefined {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [first] = errors
  if (!first) return undefined
  const before = text.slice(0, first.offset).split('\n')
  return `${inWords(printParseErrorCode(first.error))} at line ${before.length} column ${(before.at(-1) ?? '').length + 1}`
}

/** `PropertyNameExpected` is "property name expected". */
function inWords(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]|(?<=.)[A-Z](?=[a-z])/g, ' $&').toLowerCase()
}
