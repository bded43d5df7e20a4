import { type DocumentNode, GraphQLError, Lexer, parse, Source, type Token } from 'graphql'

/** Larger documents are rejected before anything reads them: what is long in a document are values, which variables carry. */
const maxDocumentLength = 100_000
/** In a document of more lines, finding that of each error takes longer than everything else. */
const maxLocatedLines = 1_000
/** Of brackets of all kinds, as of JSON: the parser calls itself for each. */
const maxNesting = 64

/** Parses a document within bounds; throws a `GraphQLError` where it breaks one, or is none. */
export function parseDocument(text: string, maxTokens: number): DocumentNode {
  if (text.length > maxDocumentLength) {
    const mend = 'send long values as variables.'
    throw new GraphQLError(`The document has more than ${maxDocumentLength} characters: ${mend}`)
  }
  const source = new Source(text)
  const lexer = new NestingLexer(source)
  return parse(source, { lexer, maxTokens, noLocation: countLines(text) > maxLocatedLines })
}

function countLines(text: string): number {
  return (text.match(/[\n\r]/g)?.length ?? 0) + 1
}

/** Rejects brackets that are nested too deep, before the parser gets to them. */
class NestingLexer extends Lexer {
  #depth = 0

  override advance(): Token {
    const token = super.advance()
    if (opening.has(token.kind)) this.#depth += 1
    else if (closing.has(token.kind)) this.#depth -= 1
    if (this.#depth <= maxNesting) return token
    throw new GraphQLError(`The document nests brackets more than ${maxNesting} deep.`, {
      source: this.source,
      positions: [token.start],
    })
  }
}

const opening: ReadonlySet<string> = new Set(['(', '[', '{'])
const closing: ReadonlySet<string> = new Set([')', ']', '}'])
