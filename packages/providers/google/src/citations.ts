import type { AnswerPart, Citation, TextDelta } from '@fairlead/core/provider'
import * as z from 'zod'
import type { WireCandidate } from './wire.ts'

const offset = z.int().min(0).optional().catch(undefined)
const words = z.string().optional().catch(undefined)

/** A range in bytes of a part of the answer. Indexes of 0 are left out. */
const segment = z.object({ partIndex: offset, startIndex: offset, endIndex: offset, text: words })
/** A page, a place, a file, or an image that one of Google's own tools found. */
const source = z.object({ uri: words, sourceUri: words, title: words, text: words })
const support = z.object({ segment, groundingChunkIndices: z.array(z.int()) })

/** https://ai.google.dev/api/generate-content#GroundingMetadata and #CitationMetadata */
const metadata = z.object({
  groundingMetadata: z
    .object({
      groundingChunks: z.array(z.record(z.string(), source.catch({}))).default([]),
      groundingSupports: z.array(support).default([]),
    })
    .catch({ groundingChunks: [], groundingSupports: [] }),
  citationMetadata: z
    .object({ citationSources: z.array(z.object({ ...source.shape, startIndex: offset, endIndex: offset })) })
    .catch({ citationSources: [] }),
})

/** A part of the answer so far. */
export interface ReadPart {
  readonly type: AnswerPart['type']
  text: string
  /** Whether it can still get citations. */
  isOpen: boolean
}

/** The sources of an answer, each for the text with its range. Those without a range are for the last text. */
export function readCitations(candidate: Partial<WireCandidate>, parts: readonly ReadPart[]): readonly TextDelta[] {
  const { groundingMetadata, citationMetadata } = metadata.parse(candidate)
  const { groundingChunks, groundingSupports } = groundingMetadata
  const sources = groundingChunks.map((each) => toCitation(Object.values(each)[0] ?? {}))
  const used = new Set(groundingSupports.flatMap(({ groundingChunkIndices }) => groundingChunkIndices))
  const runs = groupRuns(parts)
  const last = parts.findLastIndex(({ type, text, isOpen }) => type === 'text' && text !== '' && isOpen)
  const cite = (citation: Citation, range: Partial<z.output<typeof segment>> = {}): TextDelta => {
    const { index = last, ...location } = citedRange(range, runs, parts) ?? {}
    return { type: 'part_delta', index, citation: { ...citation, ...location } }
  }
  const found = [
    ...groundingSupports.flatMap((each) =>
      each.groundingChunkIndices.flatMap((at) => (sources[at] ? [cite(sources[at], each.segment)] : [])),
    ),
    ...sources.flatMap((each, at) => (used.has(at) ? [] : [cite(each)])),
    ...citationMetadata.citationSources.map(({ startIndex, endIndex, ...each }) =>
      cite(toCitation(each), { startIndex, endIndex }),
    ),
  ]
  return found.filter(({ index }) => index >= 0)
}

function toCitation({ uri, sourceUri = uri, title, text }: Partial<z.output<typeof source>>): Citation {
  return { url: sourceUri, title, quote: text }
}

/**
 * The pieces that the API counts as one part: consecutive ones of the same type, also if their signatures keep them
 * apart.
 */
function groupRuns(parts: readonly ReadPart[]) {
  const runs: { type: AnswerPart['type']; text: string; indexes: number[] }[] = []
  for (const [index, { type, text }] of parts.entries()) {
    const last = runs.at(-1)
    if (last?.type === type && (type === 'text' || type === 'reasoning')) {
      last.text += text
      last.indexes.push(index)
    } else runs.push({ type, text, indexes: [index] })
  }
  return runs.map((run) => ({ ...run, bytes: Buffer.from(run.text) }))
}

/** Undefined if the API gives no range, or one that is not the text that it names. */
function citedRange(
  { partIndex, startIndex = 0, endIndex, text: expected }: Partial<z.output<typeof segment>>,
  runs: ReturnType<typeof groupRuns>,
  parts: readonly ReadPart[],
): { readonly index: number; readonly start: number; readonly end: number } | undefined {
  const run = partIndex === undefined ? runs.find(({ type }) => type === 'text') : runs[partIndex]
  if (!run || endIndex === undefined) return undefined
  const cited = run.bytes.toString('utf8', startIndex, endIndex)
  if (expected !== undefined && expected !== cited) return undefined
  let start = run.bytes.toString('utf8', 0, startIndex).length
  for (const index of run.indexes) {
    const { type, text, isOpen } = parts[index]!
    if (start < text.length) {
      return type === 'text' && isOpen ? { index, start, end: Math.min(start + cited.length, text.length) } : undefined
    }
    start -= text.length
  }
  return undefined
}
