import { decodeText, splitEvents, splitLines } from '../sample-http.ts'
import type { Habits } from '../sample-provider.ts'
import { bad, type BadProvider, rejecting } from './bad-provider.ts'

async function* decodeEach(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  for await (const chunk of body) yield Buffer.from(chunk).toString()
}

async function* splitEach(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  for await (const text of decodeText(body)) yield* text.split('\n').filter((line) => line.trim() !== '')
}

/** Lines, and how the texts of them are found. */
const withLines = (find: (text: string) => readonly string[], separator = '\n'): NonNullable<Habits['split']> =>
  async function* (body) {
    let rest = ''
    for await (const text of decodeText(body)) {
      const blocks = (rest + text).split(separator)
      rest = blocks.pop()!
      for (const block of blocks) yield* find(block)
    }
  }

const dataIn = (block: string) => (block.startsWith('data: ') ? [block.slice(6)] : [])

async function* withoutErrors(texts: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const text of texts) if (!text.includes('"error"')) yield text
}

const characters = 'joins the bytes of a character that arrive apart'
const reportedError = 'fails if the upstream reports an error in the middle of its stream'

export const badFraming: readonly BadProvider[] = [
  bad('lines', 'decodes each chunk by itself', `${characters} (stream)`, {
    split: async function* (body) {
      let rest = ''
      for await (const text of decodeEach(body)) {
        const lines = (rest + text).split('\n')
        rest = lines.pop()!
        yield* lines.filter((line) => line !== '')
      }
    },
  }),
  bad('events', 'decodes each chunk of a whole reply by itself', `${characters} (text)`, { decode: decodeEach }),
  rejecting(
    'the reply is not',
    bad('lines', 'takes each chunk for whole lines', 'reads a reply whose pieces arrive apart (stream)', {
      split: splitEach,
    }),
  ),
  rejecting(
    'the reply is not',
    bad('lines', 'reads an empty line', 'reads a stream with empty lines and comments (stream)', {
      split: withLines((line) => [line]),
    }),
  ),
  rejecting(
    'the stream ended before',
    bad('lines', 'drops a last line without an end', 'reads a stream with no line end at its end (stream)', {
      split: withLines((line) => (line.trim() === '' ? [] : [line])),
    }),
  ),
  rejecting(
    'the stream ended before',
    bad('events', 'knows one line end', 'reads a stream with other line ends (stream)', {
      split: withLines(dataIn, '\n\n'),
    }),
  ),
  rejecting(
    'the stream ended before',
    bad('events', 'wants a space after `data:`', 'reads a stream with no space after its field names (stream)', {
      split: withLines((line) => dataIn(line.trimEnd())),
    }),
  ),
  rejecting(
    'the reply is not',
    bad('events', 'reads comments as data', 'reads a stream with empty lines and comments (stream)', {
      split: withLines((line) => (line.trim() === '' ? [] : [line.replace(/^data: ?/, '')])),
    }),
  ),
  bad('lines', 'ignores an error line', reportedError, { split: (body) => withoutErrors(splitLines(body)) }),
  bad('events', 'ignores an error event', reportedError, { split: (body) => withoutErrors(splitEvents(body)) }),
]
