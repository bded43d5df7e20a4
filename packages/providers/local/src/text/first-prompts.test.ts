import { type Message, type ProviderCall, ProviderError, answerText, type TextRequest } from '@fairlead/core/provider'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { chatRequest, textRequest, userMessage } from '../testing/text-request.ts'
import { local } from '../local.ts'
import { syllables } from './scribe/grammar/syllables.ts'

/** A Saturday, late in the evening in UTC. */
const now = new Date('2026-11-28T23:24:00Z')
const provider = local({ text: { now: () => now, random: () => 0.5 }, analysis: { workers: 1 } })
const call: ProviderCall = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'r' }

const ask = (prompt: string, rest: Partial<TextRequest> = {}) =>
  provider.generateText!(textRequest('scribe', prompt, { maxTokens: 500, ...rest }), call)
const written = async (prompt: string, seed = 1) => answerText(await ask(prompt, { seed }))
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })

const article =
  'Maria Lopez opened a bakery in Lisbon in 2019. She bakes forty kinds of bread. The bakery feeds two schools and a hospital. It closes at noon on Sundays. In 2024 the bakery won a prize of the city for its rye bread.'

afterAll(() => provider.close?.())

/** One sentence that names the variables to set. */
const honest = /^Scribe [^\n]*OPENAI_API_KEY or OLLAMA_HOST\.$/

describe('the first prompts of a newcomer', () => {
  test.each<[kind: string, prompt: string, pattern: RegExp]>([
    ['says hello and who it is', 'hello', /^Hello! I am scribe.*not a language model/],
    ['says who it is', 'Who are you?', /^I am scribe.*not a language model/],
    ['says what it can do', 'What can you do?', /^I can:\n\n- write [^]*- summarize[^]*- extract[^]*- calculate/],
    ['says it', 'Say "good morning"', /^good morning$/],
    ['says it', 'Say hello', /^hello$/],
    ['says it', 'Reply with exactly one word: pong', /^pong$/],
    ['composes it', 'Write a haiku about rain', /^[^\n]+\n[^\n]+\n[^\n]+$/],
    ['tells a joke that is one', 'Tell me a joke', /^[A-Z“][^\n]{30,200}[.?!”]$/],
    ['tells a joke about the topic', 'tell me a joke about programmers', /programmers?/],
    ['says honestly that it can’t', 'Translate "good morning" to French', honest],
    ['calculates', 'What is 17*23?', /^17\*23 = 391$/],
    ['calculates', 'what is 15% of 80', /^15% of 80 = 12$/],
    ['calculates', '(2 + 3) * 4 / 0.5', / = 40$/],
    ['counts letters', 'How many r’s are in strawberry?', /^The letter “r” is in “strawberry” 3 times\.$/],
    ['counts letters', 'How many letters r are in "strawberry"?', /3 times/],
    ['counts letters', 'How many times does the letter s appear in Mississippi?', /4 times/],
    ['counts words', 'How many words are in this sentence: The cat sat on the mat.', /^There are 6 words in /],
    ['tells the date of its clock', 'What day is it today?', /^Today is Saturday, November 28, 2026, .* in UTC\.$/],
    ['tells the time of its clock', 'what time is it?', /^It is 23:24 UTC on Saturday/],
    [
      'extracts',
      `Extract the email addresses: Write to ada@example.com or bo@example.org.`,
      /^ada@example.com\nbo@example.org$/,
    ],
    [
      'extracts as JSON',
      'Extract the dates as JSON: The fair opens on March 5, 2026 and ends on March 8, 2026.',
      /^\["March 5, 2026","March 8, 2026"\]$/,
    ],
    ['extracts', 'Extract all numbers from this text: We sold 12 chairs and 340 tables.', /^12\n340$/],
    ['judges', 'Is this review positive? The food was cold and the staff was rude.', /^Negative, with a score of -0\./],
    ['judges', 'Classify the sentiment: I love this phone, it is wonderful!', /^Positive, with a score of 0\./],
    ['says honestly that it can’t', 'Write a function in Python that reverses a string', honest],
    ['says honestly that it knows no facts', 'Explain recursion', honest],
    ['says honestly that it knows no facts', 'What is the capital of France?', honest],
    [
      'lists as many as asked for',
      'List five ideas for a birthday party',
      /^(?:[^\n]+\n\n)?(?:(?:\d\.|-) [^\n]+\n?){5}(?:\n[^\n]+)?$/,
    ],
    ['says honestly that it can’t', 'Rewrite politely: give me the report now', honest],
    ['composes it', 'Write an email to Maria about the delayed invoice', /^Subject: [^]*Maria,[^]*delayed invoice/],
    [
      'continues it with the people in it',
      'Continue this story: The old clock struck thirteen, and Mara put down her book.',
      /^\p{Lu}(?![^]*(?:Continue this|thirteen))/u,
    ],
    ['says honestly that it reads English only', 'Schreibe ein Gedicht über den Regen', honest],
    ['asks for a topic', 'asdfgh qwer', /name a kind of text and its topic/],
    ['asks for a topic', '?', /name a kind of text and its topic/],
    ['says honestly that it has no pattern', 'Plan my week with three workouts', honest],
    ['says honestly that it has no pattern', 'The door opened and there stood my neighbor', honest],
    ['answers with JSON', 'Return JSON with name and age: Ada is 36', /^\{"name":"Ada","age":36\}$/],
  ])('scribe %s: %s', async (_kind, prompt, pattern) => {
    const answer = await written(prompt)
    expect(answer).toMatch(pattern)
    expect(await written(prompt)).toBe(answer)
  })

  test('a haiku has five, seven, and five syllables', async () => {
    const haiku = await written('Write a haiku about rain')
    expect(haiku).toMatch(/rain/i)
    expect(haiku.split('\n').map(syllables)).toEqual([5, 7, 5])
  })

  test('a summary has sentences of the text, and each says whom it is about', async () => {
    for (const request of ['Summarize this text', 'Summarize in one sentence', 'Summarize in three sentences']) {
      const summary = await written(`${request}: ${article}`)
      const sentences = article.split(/(?<=\.) /)
      for (const sentence of summary.split(/(?<=\.) /)) {
        const at = sentences.indexOf(sentence)
        expect(at).toBeGreaterThanOrEqual(0)
        const subject = /^(?:She|It) /.test(sentence) ? sentences[at - 1]! : sentence
        expect(summary).toContain(subject)
      }
    }
  })

  test('the last question is answered from the conversation', async () => {
    const answerTo = async (...messages: Message[]) =>
      answerText(await provider.generateText!(chatRequest('scribe', messages, { seed: 1 }), call))
    const question = userMessage('What did I say before?')
    expect(await answerTo(userMessage('My cat is called Otis.'), assistant('Nice.'), question)).toBe(
      'You said: “My cat is called Otis.”',
    )
    expect(await answerTo(question)).toMatch(/first message/)
    expect(await answerTo(userMessage('My name is Ada.'), assistant('Nice.'), userMessage('What is my name?'))).toBe(
      'You said: Ada',
    )
  })
})

describe('scribe, given a JSON schema,', () => {
  const order = {
    type: 'object',
    properties: {
      customer: { type: 'string' },
      quantity: { type: 'integer' },
      price: { type: 'number' },
      city: { type: 'string' },
      date: { type: 'string', format: 'date' },
    },
    required: ['customer', 'quantity', 'price', 'city', 'date'],
  }
  const person = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' }, email: { type: 'string', format: 'email' } },
    required: ['name', 'age', 'email'],
    additionalProperties: false,
  }
  const fill = async (prompt: string, schema: Readonly<Record<string, unknown>>) => {
    const answer = await ask(prompt, { responseFormat: { type: 'json_schema', schema } })
    const value: unknown = JSON.parse(answerText(answer))
    expect(new Ajv2020({ strict: false, validateFormats: false }).validate(schema, value)).toBe(true)
    return { value, warnings: answer.warnings }
  }

  test('scribe, given a JSON schema, answers with facts of the prompt, and examples where it has none', async () => {
    const { value, warnings } = await fill('Ada Lovelace is 36 and lives in London.', person)
    expect(value).toEqual({ name: 'Ada Lovelace', age: 36, email: 'person1@example.com' })
    expect(warnings).toMatchObject([{ field: 'responseFormat.schema', issue: expect.stringContaining('example') }])
  })

  test.each<[string, string, Readonly<Record<string, unknown>>, unknown]>([
    [
      'has an order',
      'Extract the order: 3 red chairs for $1,120, customer Maria Lopez, ship to Berlin by 2026-12-24',
      order,
      { customer: 'Maria Lopez', quantity: 3, price: 1120, city: 'Berlin', date: '2026-12-24' },
    ],
    ['names nothing', 'Invent something', person, { name: 'text', age: 0, email: 'person1@example.com' }],
    [
      'has an answer to calculate',
      'What is 17*23?',
      { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] },
      { answer: 391 },
    ],
    [
      'has a review',
      'Classify: the food was awful and I hated it',
      { type: 'object', properties: { sentiment: { enum: ['positive', 'negative'] } }, required: ['sentiment'] },
      { sentiment: 'negative' },
    ],
    [
      'names one of the values',
      'The ticket is urgent and the color of the label is green.',
      { type: 'object', properties: { color: { type: 'string', enum: ['red', 'green'] } }, required: ['color'] },
      { color: 'green' },
    ],
    [
      'states a value that the schema does not allow',
      'The name is Bo, and Bo is 36.',
      {
        type: 'object',
        properties: { name: { type: 'string', minLength: 4 }, age: { type: 'integer', maximum: 30 } },
        required: ['name', 'age'],
      },
      { name: 'text', age: 0 },
    ],
  ])('scribe, given a JSON schema, answers with a valid value if the prompt %s', async (_, prompt, schema, value) => {
    expect((await fill(prompt, schema)).value).toEqual(value)
  })

  test('scribe answers with the facts themselves if any JSON object is asked for', async () => {
    const format = { responseFormat: { type: 'json' } } as const
    expect(answerText(await ask('Return JSON with name and age: Ada is 36', format))).toBe('{"name":"Ada","age":36}')
    expect(answerText(await ask('Say {"text"', format))).toBe('{"text":"{\\"text\\""}')
  })
})

describe('scribe, given tools,', () => {
  const tools = [{ name: 'get_weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }]

  test.each([undefined, { type: 'auto' } as const])(
    'scribe, given tools, answers with text and a warning',
    async (toolChoice) => {
      const answer = await ask('What is 2+2?', { tools, ...(toolChoice && { toolChoice }) })
      expect(answer.finishReason).toBe('stop')
      expect(answerText(answer)).toBe('2+2 = 4')
      expect(answer.warnings).toMatchObject([{ field: 'tools', issue: expect.stringContaining('never calls tools') }])
    },
  )

  test.each([{ type: 'required' }, { type: 'tool', name: 'get_weather' }] as const)(
    'scribe, given tools, rejects a request that forces a call',
    async (toolChoice) => {
      const rejected = await ask('What is 2+2?', { tools, toolChoice }).catch((error: unknown) => error)
      expect(rejected).toBeInstanceOf(ProviderError)
      expect(rejected).toMatchObject({ message: expect.stringContaining('never calls tools') })
    },
  )
})
