import { parseJson } from './json.ts'
import { JsonScan } from './json-scan.ts'

/** Other bytes than UTF-8 become U+FFFD. */
const lenient = new TextDecoder()
/** Shorter texts take no longer as a whole. */
const minLongBytes = 131_072

/**
 * The value of a JSON text in UTF-8, after a byte order mark if it has one; undefined for any other text. Long lists are
 * parsed in slices.
 */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  let value: unknown
  if (bytes.length >= minLongBytes) {
    const scan = new JsonScan({ findsLists: true })
    const { lists } = scan
    if (scan.add(bytes) && lists?.hasAny) for (const parsed of lists.parse(bytes)) value = parsed
  }
  return value ?? parseJson(lenient.decode(bytes))
}
