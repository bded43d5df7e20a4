/** Writing more at once would hold the event loop: a million numbers take 0.2 s. */
const partLength = 64 * 1024
const numbersPerPiece = 4_096

/** The JSON text of a value, in parts of about 64 kB. Each is written when it is taken. */
export function* jsonParts(value: unknown): Generator<string, void, undefined> {
  let part = ''
  for (const piece of splitValue(value)) {
    part += piece
    if (part.length < partLength) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}

function* splitValue(value: unknown): Generator<string, void, undefined> {
  if (Array.isArray(value)) yield* piecesOfList(value)
  else if (typeof value === 'object' && value !== null && !('toJSON' in value)) yield* piecesOfObject(value)
  // In a list, null stands for what JSON lacks, as for JSON.stringify.
  else yield JSON.stringify(value) ?? 'null'
}

function* piecesOfObject(value: object): Generator<string, void, undefined> {
  let separator = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* splitValue(member)
    separator = ','
  }
  yield separator === '{' ? '{}' : '}'
}

function* piecesOfList(list: readonly unknown[]): Generator<string, void, undefined> {
  const step = typeof list[0] === 'number' ? numbersPerPiece : 1
  yield '['
  for (let at = 0; at < list.length; at += step) {
    if (at > 0) yield ','
    if (step === 1) yield* splitValue(list[at])
    else yield JSON.stringify(list.slice(at, at + step)).slice(1, -1)
  }
  yield ']'
}
