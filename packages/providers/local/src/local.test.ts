import { once } from 'node:events'
import { accounts } from '@fairlead/accounts'
import { createFairlead, type Credentials, type FairleadError, systemClock } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { addTestCaller, withinASecond, testStores } from '@fairlead/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { local } from './local.ts'
import { syllables } from './text/scribe/grammar/syllables.ts'

const fairlead = createFairlead({ providers: [local({ images: { workers: 1 }, analysis: { workers: 1 } })] })
const embedded = { kind: 'embedded' } as const
const article = `Tides rise and fall twice a day, and fishing towns have always lived by them. Boats leave on the ebb and come home on the flood.

In March the harbor of Brightsea was closed for repairs, because the old sea wall had begun to lean. Divers found that the tides had washed out its footing.

The repairs cost two million pounds and took five months. Since August the boats have been back, and the sea wall stands deeper than before.`

beforeAll(() => fairlead.core.start(), 60_000)
afterAll(() => fairlead.core.close())

/** The answers of scribe at several seeds. */
const answers = (prompt: string) =>
  Promise.all([1, 2, 3, 4, 5].map(async (seed) => (await fairlead.generate({ model: 'scribe', prompt, seed })).content))

describe('what a newcomer types', () => {
  test.each<[prompt: string, ...patterns: RegExp[]]>([
    ['draft an email to Maria about the delayed invoice', /\b(?:Hi|Hello|Dear) Maria,/, /delayed invoice/i],
    ['name ideas for a coffee shop', /coffee shop/i, /^(?:1\. |- )\*\*.+\*\*: /m],
    ['explain photosynthesis', /^Scribe [^\n]*OPENAI_API_KEY or OLLAMA_HOST\.$/],
    ['2+2?', /^2\+2 = 4$/],
    ['translate hello to French', /^Scribe [^\n]*OPENAI_API_KEY or OLLAMA_HOST\.$/],
    ['product description for a solar lantern', /solar lantern/i],
    ['tell me a story about a fox and a lantern', /\bfox\b/, /\blantern\b/],
    ['slogan for a bakery', /\bbakery\b/i],
    ['newsletter for May', /^Scribe [^\n]*OPENAI_API_KEY or OLLAMA_HOST\.$/],
    ['birthday invitation for my daughter Mia turning 6', /Mia’s 6th birthday/],
  ])('what a newcomer types is answered with what it names: %s', async (prompt, ...patterns) => {
    for (const answer of await answers(prompt)) for (const pattern of patterns) expect(answer).toMatch(pattern)
  })

  test('what a newcomer types becomes a haiku of five, seven and five syllables with its topic in it', async () => {
    for (const haiku of await answers('write a haiku about rain')) {
      expect(haiku.split('\n').map(syllables)).toEqual([5, 7, 5])
      expect(haiku).toMatch(/\brain\b/i)
    }
  })

  test('what a newcomer types is summarized by sentences of its own', async () => {
    const sentences = article.split(/(?<=\.)\s+/)
    for (const summary of await answers(`summarize: ${article}`)) {
      expect(summary.length).toBeLessThan(article.length * 0.8)
      for (const sentence of summary.split(/(?<=\.)\s+/)) expect(sentences).toContain(sentence)
    }
  })

  test('what a newcomer types goes on where it stopped', async () => {
    for (const answer of await answers('continue: The door opened and')) expect(answer).toMatch(/^\p{Ll}.*\.$/su)
  })
})

describe('the embedded provider', () => {
  test('the embedded provider lists its five models', async () => {
    const listed = (await fairlead.models.list()).map(({ id, type, provider }) => ({ id, type, provider }))
    expect(listed).toEqual([
      { id: 'scribe', type: 'text', provider: 'local' },
      { id: 'mirror', type: 'text', provider: 'local' },
      { id: 'lexis', type: 'text', provider: 'local' },
      { id: 'vista', type: 'image', provider: 'local' },
      { id: 'motif', type: 'image', provider: 'local' },
    ])
  })

  test('the embedded provider says what it is in the description of each model', async () => {
    for (const { description } of await fairlead.models.list()) expect(description).toMatch(/Not a |procedural|no /i)
  })

  test('the embedded provider analyzes by reader, and rejects an analysis by scribe', async () => {
    const request = { text: 'I love it.', tasks: ['sentiment'] as const }
    expect((await fairlead.analyze(request)).sentiment?.label).toBe('positive')
    await expect(fairlead.analyze({ ...request, model: 'scribe' })).rejects.toThrow(/use the analyzer reader/)
  })

  test('the embedded provider streams what it would have answered whole', async () => {
    const input = { model: 'scribe', prompt: 'poem about the sea', seed: 4 }
    let streamed = ''
    for await (const { content } of fairlead.generate.stream(input)) streamed += content
    expect(streamed).toBe((await fairlead.generate(input)).content)
  })

  test('the embedded provider answers twenty turns of tools from one script, whole and streamed', async () => {
    const calls = Array.from({ length: 19 }, (_, index) => `tool_call: add {"number": ${index}}\nnext:`)
    const prompt = `\`\`\`mirror\n${calls.join('\n')}\nreply: The sum is 171.\n\`\`\``
    const tools = [{ name: 'add', inputSchema: { type: 'object' } }]
    type Messages = NonNullable<Parameters<typeof fairlead.generate>[0]['messages']>
    let messages: Messages = [{ role: 'user', content: prompt }]
    for (let turn = 1; turn < 20; turn++) {
      const { message, toolCalls = [], finishReason } = await fairlead.generate({ model: 'mirror', messages, tools })
      expect({ finishReason, toolCalls }).toEqual({
        finishReason: 'tool_calls',
        toolCalls: [{ id: `call_${turn}`, name: 'add', input: { number: turn - 1 } }],
      })
      messages = [
        ...messages,
        message!,
        { role: 'tool', content: [{ type: 'tool_result', toolCallId: `call_${turn}`, content: 'added' }] },
      ]
    }
    let streamed = ''
    for await (const { content } of fairlead.generate.stream({ model: 'mirror', messages, tools })) streamed += content
    expect(streamed).toBe('The sum is 171.')
  })

  test('the embedded provider finds the nearest text by embeddings', async () => {
    const texts = ['Where is my parcel?', 'Parcels arrive within two days.', 'The choir sings on Sundays.']
    const { embeddings } = await fairlead.embed({ model: 'lexis', texts })
    const [query, ...vectors] = embeddings
    const [parcels, choir] = vectors.map((vector) => vector.reduce((sum, value, at) => sum + value * query![at]!, 0))
    expect(parcels).toBeGreaterThan(choir! + 0.1)
  })

  test.each(['vista', 'motif'])('the embedded provider paints with %s', async (model) => {
    const { id } = await fairlead.generateImage({ model, prompt: 'a lighthouse at dawn', size: '256x256', seed: 3 })
    const png = await fairlead.core.openImage(id)
    expect(Buffer.from(png!).toString('latin1', 1, 4)).toBe('PNG')
  })

  test('the embedded provider analyzes with all three tasks', async () => {
    const text = 'Maria Lopez was delighted when Acme Ltd opened its bright new office in Lima.'
    const analysis = await fairlead.analyze({ text, tasks: ['sentiment', 'entities', 'keywords'] })
    expect(analysis.sentiment?.label).toBe('positive')
    expect(analysis.entities?.map((entity) => `${entity.text} ${entity.type}`)).toEqual([
      'Maria Lopez PERSON',
      'Acme Ltd ORGANIZATION',
      'Lima LOCATION',
    ])
    expect(analysis.keywords?.map((keyword) => keyword.text)).not.toEqual([])
  })

  test.each([
    [
      'a fox that it could not draw',
      operations.generateImage,
      { model: 'vista', prompt: 'a red fox in the snow', size: '256x256' },
      'prompt',
    ],
    [
      'a line of a script that it could not read',
      operations.generate,
      { model: 'mirror', prompt: '```mirror\nreplay: x\n```' },
      'prompt',
    ],
    [
      'a text that is not English',
      operations.analyze,
      { text: 'Der Vertrag wurde gestern in Anwesenheit aller Beteiligten unterschrieben.', tasks: ['sentiment'] },
      'language',
    ],
  ] as const)('the embedded provider warns of %s', async (_case, operation, input, field) => {
    const reply = await fairlead.core.run(operation, embedded, input)
    expect(reply).toMatchObject({ success: true, meta: { warnings: [{ field }] } })
  })

  test('the embedded provider tells the caller why it refuses', async () => {
    const refused = await fairlead
      .generate({ model: 'mirror', prompt: '```mirror\nfail: refused\n```' })
      .catch((error: FairleadError) => error)
    expect(refused).toMatchObject({ code: 'CONTENT_REFUSED', message: 'The mirror was told to refuse this content.' })
  })

  test.each([
    [
      'text',
      (signal: AbortSignal) =>
        fairlead.generate({ model: 'mirror', prompt: '```mirror\ndelay_ms: 600000\n```' }, { signal }),
    ],
    [
      'an image',
      (signal: AbortSignal) => fairlead.generateImage({ model: 'vista', prompt: 'a city', quality: 'hd' }, { signal }),
    ],
    [
      'an analysis',
      (signal: AbortSignal) =>
        fairlead.analyze({ text: 'Zhang Wei saw Mirko Adelt. '.repeat(3_000), tasks: ['entities'] }, { signal }),
    ],
  ])('the embedded provider stops %s within a second after the caller leaves', async (_case, ask) => {
    const leaving = new AbortController()
    const asked = ask(leaving.signal)
    asked.catch(() => {})
    setTimeout(() => leaving.abort(new Error('the caller left')), 30)
    await once(leaving.signal, 'abort')
    expect(await withinASecond(asked.catch((error: unknown) => error))).toMatchObject({ message: 'the caller left' })
  })
})

describe('two accounts', () => {
  test('two accounts gives one an image while the other has many waiting', async () => {
    const stores = testStores({ clock: systemClock })
    const own = createFairlead({ providers: [local({ images: { workers: 2 } })], features: [accounts()], stores })
    onTestFinished(() => own.core.close())
    const { credentials: flooding } = await addTestCaller(stores, systemClock)
    const { credentials: other } = await addTestCaller(stores, systemClock)
    let painted = 0
    const paint = async (credentials: Credentials) => {
      const reply = await own.core.run(operations.generateImage, credentials, {
        model: 'vista',
        prompt: 'a lake',
        size: '256x256',
      })
      expect(reply).toMatchObject({ success: true })
      painted++
    }
    const flood = Array.from({ length: 12 }, () => paint(flooding))
    await expect
      .poll(async () => (await own.providers.list({}))[0]?.targets[0])
      .toMatchObject({ inFlight: 1, queued: 11 })
    await paint(other)
    expect(painted).toBeLessThan(10)
    await Promise.all(flood)
  })
})
