import { parseJson } from '@fairlead/core/provider'
import { JsonScan } from '@fairlead/core/adapter'
import { describeExcess } from './json-body.ts'
import { type Fields, invalid, isObject } from './request-fields.ts'

/**
 * Parses the JSON text of an object. Throws `INVALID_REQUEST` that names the field. Empty texts are an empty object, and so
 * are others if `orEmpty` is true.
 */
export type ParseObject = (text: unknown, field: string, orEmpty?: boolean) => Fields

/** In characters, of all texts of a request. They are parsed in one turn of the event loop. */
const maxTextLength = 5_000_000

/** Parses JSON texts inside of a request's JSON. All texts of a request have the limits of one body. */
export function objectParser(): ParseObject {
  let scan: JsonScan | undefined
  let length = 0
  return (text, field, orEmpty = false) => {
    if (text === undefined || text === null || text === '') return {}
    if (typeof text !== 'string') throw invalid(field, 'must be JSON text')
    length += text.length
    if (length > maxTextLength) throw invalid(field, tooLong)
    scan ??= new JsonScan()
    scan.restart()
    if (!scan.add(Buffer.from(text))) {
      throw invalid(field, `is too much JSON. ${describeExcess(scan.excess, 0)}`)
    }
    const value = parseJson(text)
    if (isObject(value)) return value
    if (orEmpty) return {}
    throw invalid(field, 'must be the JSON text of an object')
  }
}

const tooLong = `is too much JSON. All JSON texts of a request may have at most ${maxTextLength.toLocaleString('en')} characters.`

/** The input of an earlier tool call from the text that the model wrote, which may be no JSON object. */
export function readToolInput(text: unknown, field: string, parse: ParseObject) {
  const input = parse(text, field, true)
  const isWritten = typeof text === 'string' && text !== '' && text !== JSON.stringify(input)
  return { input, ...(isWritten && { inputText: text }) }
}

const mark = 'fairlead.'

/** Encodes data as a text that clients send back unread, in place of a signature or of encrypted reasoning. */
export function seal(data: object): string {
  return mark + Buffer.from(JSON.stringify(data)).toString('base64url')
}

/** Whether `seal` has made a text, as far as its beginning shows. */
export function isSealed(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(mark)
}

/** The data of a text that `seal` has made; undefined for any other. Throws `INVALID_REQUEST` if the text was changed. */
export function unseal(text: unknown, field: string, parse: ParseObject) {
  if (!isSealed(text)) return undefined
  return parse(Buffer.from(text.slice(mark.length), 'base64url').toString(), field)
}
