import { collectAnswer, type SentAnswerPart } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { text, written } from './testing/written.ts'

const own = (options: object) => ({ providerOptions: { 'ai-sdk': { hand: options } } })
const opaque = (data: { readonly type: string }) =>
  ({ type: 'opaque', provider: 'ai-sdk', dialect: 'ai-sdk', kind: data.type, data: { ...data } }) as const
const providerMetadata = { hand: { itemId: 'ws_1' } }
const search = {
  type: 'tool-call',
  toolCallId: 's',
  toolName: 'web',
  input: '{"q":"lakes"}',
  providerExecuted: true,
  providerMetadata,
}
const found = { type: 'tool-result', toolCallId: 's', toolName: 'web', result: { pages: 2 } }
const failed = { type: 'tool-result', toolCallId: 's', toolName: 'web', result: 'Offline.', isError: true }
const url = 'https://lakes.example/baikal'
const page = { type: 'source', sourceType: 'url', id: '1', url, title: 'Baikal' } as const
const paper = { type: 'source', sourceType: 'document', id: '2', mediaType: 'text/plain', title: 'Lakes' } as const
const citedPage = { url, title: 'Baikal', native: { 'ai-sdk': page } }
const citedPaper = { title: 'Lakes', native: { 'ai-sdk': paper } }

/** The parts of a stream of these blocks, which the content of a whole answer has, too. */
async function generateParts(version: string, blocks: readonly object[], stream: readonly object[] = blocks) {
  const { ask, collect } = written(version, { content: blocks, stream })
  const { parts } = await ask({})
  expect((await collectAnswer(await collect())).parts).toEqual(parts)
  return parts
}

const spoken = (words: string, end: object = {}) => [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: words },
  { type: 'text-end', id: '0', ...end },
]

describe.each(['v2', 'v3', 'v4'])('a language model of specification %s', (version) => {
  test('a language model of the AI SDK answers with the calls of tools that the upstream ran as blocks, which no caller has to answer', async () => {
    const input = [
      { type: 'tool-input-start', id: 's', toolName: 'web', providerExecuted: true },
      { type: 'tool-input-delta', id: 's', delta: '{"q":"lakes"}' },
      { type: 'tool-input-end', id: 's' },
    ]
    const preview = { ...found, result: { pages: 1 }, preliminary: true }
    const blocks = [search, preview, found, text('Two pages.')]
    const stream = [...input, search, preview, found, ...spoken('Two pages.')]
    expect(await generateParts(version, blocks, stream)).toEqual([opaque(search), opaque(found), text('Two pages.')])
    const { ask } = written(version, { content: blocks })
    expect(await ask({})).toMatchObject({ finishReason: 'stop' })
  })

  test('a language model of the AI SDK receives its blocks in the next request', async () => {
    const { ask, calls } = written(version)
    const content: readonly SentAnswerPart[] = [opaque(search), opaque(found), opaque(failed), text('Two pages.')]
    expect(await ask({ messages: [{ role: 'assistant', content }] })).toMatchObject({ warnings: [] })
    const result = { type: 'tool-result', toolCallId: 's', toolName: 'web' }
    expect(calls[0]?.['prompt']).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: 's',
            toolName: 'web',
            input: { q: 'lakes' },
            providerExecuted: true,
            providerOptions: providerMetadata,
          },
          { ...result, output: { type: 'json', value: { pages: 2 } } },
          { ...result, output: { type: 'error-text', value: 'Offline.' } },
          text('Two pages.'),
        ],
      },
    ])
  })

  test('a language model of the AI SDK receives no metadata of a block that the operator has not allowed', async () => {
    const { ask, calls } = written(version)
    const stored = opaque({ ...search, providerMetadata: { hand: { fileId: 'file_secret', itemId: 'ws_1' } } } as never)
    const { warnings } = await ask({ messages: [{ role: 'assistant', content: [stored] }] })
    expect(warnings).toMatchObject([{ field: 'providerOptions.ai-sdk.hand.fileId' }])
    expect(calls[0]?.['prompt']).toMatchObject([{ content: [{ providerOptions: { hand: { itemId: 'ws_1' } } }] }])
    expect(JSON.stringify(calls)).not.toContain('file_secret')
  })

  test('a language model of the AI SDK answers with generated files', async () => {
    const bytes = Buffer.from('picture')
    const base64 = bytes.toString('base64')
    const file = (data: string | Uint8Array) => ({
      type: 'file',
      mediaType: 'image/png',
      data: version === 'v4' ? { type: 'data', data } : data,
    })
    const part = { type: 'file', mediaType: 'image/png', data: base64 }
    expect(await generateParts(version, [file(base64), file(new Uint8Array(bytes))])).toEqual([part, part])
  })

  test('a language model of the AI SDK answers with sources as citations of the text before them, or of the first text', async () => {
    const stream = [page, ...spoken('One.'), ...spoken('Two.'), paper]
    expect(await generateParts(version, [page, text('One.'), text('Two.'), paper], stream)).toEqual([
      { ...text('One.'), citations: [citedPage] },
      { ...text('Two.'), citations: [citedPaper] },
    ])
    expect(await generateParts(version, [page])).toEqual([opaque(page)])
  })

  test('a language model of the AI SDK names its response, and passes on the upstream’s own counts and metadata', async () => {
    const raw = { prompt_tokens: 7, completion_tokens: 5 }
    const { ask } = written(version, {
      result: {
        response: { id: 'resp_1', modelId: 'written-2026', headers: { 'x-request-id': 'req_up' } },
        providerMetadata: { hand: { serviceTier: 'flex' } },
        ...(version !== 'v2' && { usage: { inputTokens: { total: 7 }, outputTokens: { total: 5 }, raw } }),
      },
    })
    expect(await ask({})).toMatchObject({
      response: {
        id: 'resp_1',
        model: 'written-2026',
        requestId: 'req_up',
        native: { 'ai-sdk': { providerMetadata: { hand: { serviceTier: 'flex' } } } },
      },
      usage: version === 'v2' ? {} : { native: { 'ai-sdk': raw } },
    })
  })
})

describe('a language model of specification v4', () => {
  test('a language model of specification v4 answers with citations of ranges, and with the sources that none of them names', async () => {
    const citations = [
      { source: page, startIndex: 0, endIndex: 6, citedText: 'Deepest.' },
      { source: page, startIndex: -1, endIndex: 3 },
    ]
    const words = 'Baikal.'
    const parts = await generateParts(
      'v4',
      [page, paper, { ...text(words), citations }],
      [{ type: 'ping' }, page, ...spoken(words, { citations }), paper],
    )
    expect(parts).toEqual([
      { ...text(words), citations: [{ ...citedPage, quote: 'Deepest.', start: 0, end: 6 }, citedPage, citedPaper] },
    ])
  })

  test('a language model of specification v4 answers with blocks of its own, and receives those that a prompt can have', async () => {
    const sketch = {
      type: 'reasoning-file',
      mediaType: 'image/png',
      data: { type: 'data', data: 'iVBO' },
      providerMetadata,
    }
    const compaction = { type: 'custom', kind: 'hand.compaction', providerMetadata }
    const approval = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 's' }
    const linked = { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL(url) } }
    const parts = await generateParts('v4', [sketch, compaction, approval, linked])
    expect(parts).toEqual([
      opaque({ ...sketch, data: 'iVBO' } as never),
      opaque(compaction),
      opaque(approval),
      opaque({ ...linked, data: { type: 'url', url } } as never),
    ])
    const { ask, calls } = written('v4')
    const { warnings } = await ask({ messages: [{ role: 'assistant', content: parts as readonly SentAnswerPart[] }] })
    expect(warnings).toEqual(
      ['tool-approval-request', 'file'].map((kind) => ({
        field: 'messages',
        issue: `blocks of the kind "${kind}" were left out`,
      })),
    )
    const providerOptions = providerMetadata
    expect(calls[0]?.['prompt']).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'iVBO' }, providerOptions },
          { type: 'custom', kind: 'hand.compaction', providerOptions },
        ],
      },
    ])
  })

  test('a language model of specification v4 keeps all parts but the texts beside the text of a structured output', async () => {
    const { ask } = written('v4', {
      content: [{ type: 'reasoning', text: 'Hmm', providerMetadata }, text('Draft')],
      result: { structuredOutputText: '{"a":1}' },
    })
    const responseFormat = { type: 'json_schema', schema: { type: 'object' } } as const
    expect(await ask({ responseFormat })).toMatchObject({
      parts: [{ type: 'reasoning', text: 'Hmm', ...own({ itemId: 'ws_1' }) }, text('{"a":1}')],
    })
  })

  test.each([
    ['stop', 'pause_turn', 'pause'],
    ['content-filter', 'refusal', 'refusal'],
    ['content-filter', 'SAFETY', 'content_filter'],
  ])('a language model of specification v4 maps the finish reason %s of %s to %s', async (unified, raw, expected) => {
    const { ask } = written('v4', { content: [text('Hi')], result: { finishReason: { unified, raw } } })
    expect(await ask({})).toMatchObject({ finishReason: expected })
  })

  test('a language model of specification v4 ends the parts that its stream leaves open', async () => {
    const { collect } = written('v4', {
      stream: [
        page,
        { type: 'text-delta', id: '0', delta: 'Hi' },
        { type: 'tool-input-start', id: 'a', toolName: 'look' },
      ],
    })
    expect((await collectAnswer(await collect())).parts).toMatchObject([
      { ...text('Hi'), citations: [citedPage] },
      { type: 'tool_call', id: 'a', inputText: '{}' },
    ])
  })
})
