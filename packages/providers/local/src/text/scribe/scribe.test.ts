import { collectAnswer, type ProviderCall, answerText, type TextRequest } from '@fairlead/core/provider'
import { computingMs } from '@fairlead/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { allEvents } from '../../testing/all-events.ts'
import { textRequest } from '../../testing/text-request.ts'
import { localText } from '../local-text.ts'
import { tokenizer } from '../tokens/tokenizer.ts'
import { contentWords } from './grammar/content-words.ts'
import { seededRandom } from './grammar/seeded-random.ts'
import { syllables } from './grammar/syllables.ts'

const call: ProviderCall = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  requestId: 'req_1',
}
const scribe = localText()

const asks = (prompt: string, rest: Partial<TextRequest> = {}) =>
  textRequest('scribe', prompt, { maxTokens: 500, temperature: 1, ...rest })

async function written(prompt: string, rest: Partial<TextRequest> = {}): Promise<string> {
  return answerText(await scribe.generateText(asks(prompt, rest), call))
}

/** The answers to one prompt under the seeds from 0 on. */
const overSeeds = (prompt: string, seeds: number, rest: Partial<TextRequest> = {}) =>
  Promise.all(Array.from({ length: seeds }, (_, seed) => written(prompt, { ...rest, seed })))

/** How many bits it takes to tell which of the answers one got. */
function entropy(answers: readonly string[]): number {
  const counts = Map.groupBy(answers, (answer) => answer).values()
  const shares = Array.from(counts, ({ length }) => length / answers.length)
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0)
}

/** The share of an answer's words that it had used before. */
function repetition(text: string): number {
  const words = contentWords(text)
  return 1 - new Set(words).size / words.length
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

beforeAll(() => scribe.warmUp())

describe('scribe', () => {
  describe('keeps to the sampling parameters: it', () => {
    test('scribe repeats itself at temperature 0, whatever the seed', async () => {
      expect(new Set(await overSeeds('tell me a story about a fox', 20, { temperature: 0 })).size).toBe(1)
    })

    test('scribe repeats itself for a seed', async () => {
      const [first, second] = await Promise.all(
        [1, 2].map(() => written('ideas for a picnic', { seed: 11, temperature: 1.4 })),
      )
      expect(first).toBe(second)
    })

    test('scribe varies without a seed', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => written('write a poem about the sea')))
      expect(new Set(answers).size).toBeGreaterThan(1)
    })

    test('scribe draws from the randomness that it is given', async () => {
      const drawn = () => localText({ random: seededRandom(3) }).generateText(asks('write a poem about the sea'), call)
      expect(answerText(await drawn())).toBe(answerText(await drawn()))
    })

    test('scribe varies more as the temperature rises', async () => {
      const temperatures = [0, 0.2, 0.4, 1]
      const entropies = await Promise.all(
        temperatures.map(async (temperature) =>
          entropy(await overSeeds('one slogan for a bakery', 300, { temperature })),
        ),
      )
      expect(entropies[0]).toBeCloseTo(0, 9)
      entropies.slice(1).forEach((bits, index) => expect(bits).toBeGreaterThan(entropies[index]! + 0.1))
    })

    test('scribe varies less as top_p falls', async () => {
      const distinct = async (topP: number) => new Set(await overSeeds('one slogan for a bakery', 100, { topP })).size
      const [narrow, middle, wide] = await Promise.all([distinct(0.1), distinct(0.5), distinct(1)])
      expect(narrow).toBe(1)
      expect(middle).toBeLessThan(wide)
    })

    test.each(['frequencyPenalty', 'presencePenalty'] as const)(
      'scribe repeats fewer words as the %s rises',
      async (penalty) => {
        const repeated = async (value: number) =>
          mean(
            (await overSeeds('tell me a long story about a sailor and the sea', 100, { [penalty]: value })).map(
              repetition,
            ),
          )
        const [rewarded, neutral, penalized] = await Promise.all([repeated(-2), repeated(0), repeated(2)])
        expect(neutral).toBeLessThan(rewarded * 0.97)
        expect(penalized).toBeLessThan(neutral * 0.97)
      },
    )

    test('scribe cuts at a token and says so', async () => {
      const answer = await scribe.generateText(asks('tell me a story', { seed: 1, maxTokens: 20 }), call)
      const whole = await written('tell me a story', { seed: 1 })
      expect(answer.finishReason).toBe('length')
      expect(answer.usage?.completionTokens).toBe(20)
      expect(answerText(answer)).toBe((await tokenizer()).pieces(whole).slice(0, 20).join(''))
    })

    test('scribe ends before a stop string, also one that spans tokens', async () => {
      const whole = await written('tell me a story', { seed: 1 })
      const stop = whole.slice(57, 64)
      const answer = await scribe.generateText(asks('tell me a story', { seed: 1, stop: [stop] }), call)
      expect(answerText(answer)).toBe(whole.slice(0, whole.indexOf(stop)))
      expect(answer.finishReason).toBe('stop')
    })

    test('scribe streams token by token what it would have answered whole', async () => {
      const request = asks('write an email to Maria about the delayed invoice', { seed: 5 })
      const answer = await scribe.generateText(request, call)
      expect(await collectAnswer(scribe.streamText(request, call))).toEqual(answer)
      const events = await allEvents(scribe.streamText(request, call))
      expect(events.filter(({ type }) => type === 'part_delta')).toHaveLength(answer.usage!.completionTokens)
    })

    test('scribe throws the reason of a signal that aborts in mid-stream', async () => {
      const leaving = new AbortController()
      const events = scribe.streamText(asks('tell me a story'), { ...call, signal: leaving.signal })
      const stream = events[Symbol.asyncIterator]()
      await stream.next()
      await stream.next()
      leaving.abort(new Error('the caller left'))
      await expect(stream.next()).rejects.toThrow('the caller left')
    })
  })

  describe('carries the prompt into its answer: it', () => {
    const seeds = 25

    test.each([
      ['draft an email to Maria about the delayed invoice', [/\b(?:Hi|Hello|Dear) Maria,/, /the delayed invoice/i]],
      ['tell me a story about a fox and a lantern', [/\bfox\b/i, /\blantern\b/i]],
      ['product description for a solar lantern', [/solar lantern/i]],
      ['write a haiku about rain', [/\brain\b/i]],
      [
        'write an invitation to my birthday party on Saturday at 7 pm at the Blue Room',
        [/birthday party/i, /Saturday at 7 pm/, /Blue Room/],
      ],
      ['draft an email to Mr. Hill about the U.S. visa', [/(?:Hi|Hello|Dear) Mr\. Hill,/, /the U\.S\. visa/]],
      ['write a four-line poem about rain', [/\brain\b/, /^[^\n]+(?:\n[^\n]+){3}$/]],
      ['write a formal apology to Ms Weber for the late delivery', [/Dear Ms Weber/, /late delivery/i]],
      ['slogan for a bakery called Crumb', [/\bCrumb\b/]],
      ['thank-you note to Sam for the birthday gift', [/\bSam\b/, /birthday gift/i]],
      ['continue: Ada opened the door and', [/\bAda\b|\bdoor\b|^\p{L}/u]],
    ])('scribe carries the prompt into its answer: %s', async (prompt, facts) => {
      for (const answer of await overSeeds(prompt, seeds)) for (const fact of facts) expect(answer).toMatch(fact)
    })

    test.each([
      ['Write an email to move a meeting from Friday to Monday', 'from Friday to Monday'],
      ['email to my team about moving the standup from Friday to Monday at 10 am', 'from Friday to Monday at 10 am'],
      ['email to postpone the call from 3 pm to 5 pm on Tuesday', 'from 3 pm to 5 pm on Tuesday'],
      [
        'tell Tom in a message that we are rescheduling our dinner from Tuesday to next Thursday',
        'from Tuesday to next Thursday',
      ],
    ])('an e-mail about a moved date names both dates: %s', async (prompt, dates) => {
      for (const answer of await overSeeds(prompt, seeds)) {
        expect(answer).toContain(dates)
        expect(answer).not.toMatch(/(?:keep in mind|: from|settled by now)/)
      }
    })

    test.each([
      ['tagline for a company that sells running shoes', /running shoes/i, /\bcompany\b/i],
      ['write a thank you note to my grandmother for the sweater', /Grandma/, /Hi there/],
      ['help me write an email asking my boss for a raise', /a raise/, /request: raise/i],
      ['Hello, how are you?', /scribe/i, /voice/],
      ['write a letter to Santa', /\[the subject\]/i, /our plans/],
      ['Congratulate Anna on her promotion', /Anna[\s\S]*your promotion/, /her promotion/],
      ['Christmas card to my parents', /Christmas/, /news: my parents/],
      [
        'email to the team that the meeting is moved from Friday to Monday',
        /has moved from Friday to Monday|move the meeting from Friday to Monday/,
        /From Friday (?:has|:)/,
      ],
      ['story about a robot learning to paint', /robot/, /robot learning to paint (?:woke|understood|never)/],
    ])('scribe answers the request, and not another: %s', async (prompt, expected, unexpected) => {
      for (const answer of await overSeeds(prompt, seeds)) {
        expect(answer).toMatch(expected)
        expect(answer).not.toMatch(unexpected)
      }
    })

    test('scribe gives as many items as asked for', async () => {
      for (const answer of await overSeeds('7 ideas for a team offsite', seeds))
        expect(answer.match(/^(?:\d+\.|-) /gm)).toHaveLength(7)
    })

    test.each([30, 150, 400])('scribe comes near to %i words', async (words) => {
      const lengths = (await overSeeds(`write a story about a fox in ${words} words`, seeds)).map(
        (answer) => answer.split(/\s+/).length,
      )
      expect(mean(lengths)).toBeGreaterThan(words * 0.7)
      expect(mean(lengths)).toBeLessThan(words * 1.3)
    })

    test('scribe ends of itself within the tokens allowed where it can be shorter', async () => {
      for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const request = asks('tell me a story about a fox and a lantern', { seed, maxTokens: 120 })
        expect((await scribe.generateText(request, call)).finishReason).toBe('stop')
      }
    })

    test('scribe says no word of meaning twice in a haiku', async () => {
      for (const topic of ['rain', 'my cat', 'the Eiffel Tower', 'artificial intelligence'])
        for (const answer of await overSeeds(`haiku about ${topic}`, seeds)) expect(repetition(answer)).toBe(0)
    })

    test('scribe writes haiku of five, seven and five syllables', async () => {
      for (const topic of ['rain', 'my grandmother’s kitchen', 'artificial intelligence', 'a cat'])
        for (const answer of await overSeeds(`haiku about ${topic}`, seeds))
          expect(answer.split('\n').map(syllables)).toEqual([5, 7, 5])
    })
  })

  describe('says honestly, in one sentence, what needs a model provider:', () => {
    test.each([
      ['solve the equation x + 2 = 5', 'math'],
      ['translate hello to French', 'translate'],
      ['how do you say good morning in Spanish?', 'translate'],
      ['write a python function that sorts a list', 'code'],
      ['Write a Python function', 'code'],
      ['Fix this Python code: print "hi"', 'code'],
      ['Return JSON with name and age of a fictional person', 'code'],
      ['Rewrite politely: give me the report now', 'reword'],
      ['what is the capital of France?', 'facts'],
      ['who wrote Hamlet', 'facts'],
      ['Explain why the sky is blue', 'facts'],
      ['explain to me how to tie a tie', 'facts'],
      ['Schreibe ein Gedicht über den Regen', 'English'],
      ['写一首关于雨的诗', 'English'],
      ['Écris une lettre à ma sœur', 'English'],
    ])('scribe says in one sentence what needs a model provider: %s', async (prompt, reason) => {
      const answer = await written(prompt)
      expect(answer).toContain(reason)
      expect(answer).toMatch(/OPENAI_API_KEY or OLLAMA_HOST\.$/)
      expect(answer.match(/[.!?](?:\s|$)/g)).toHaveLength(1)
    })
  })

  describe('warnings', () => {
    const warningsOf = async (prompt: string) => (await scribe.generateText(asks(prompt, { seed: 1 }), call)).warnings

    test.each(['an invitation to my party', 'an email to Maria about the invoice'])(
      'warnings of scribe say that the text is a frame with gaps: %s',
      async (prompt) => {
        expect(await warningsOf(prompt)).toEqual([
          { field: null, issue: expect.stringMatching(/^the text is a frame with \d+ gaps? in square brackets/) },
        ])
      },
    )

    test.each(['a haiku about rain', 'summarize: The [redacted] report came late. It was long. Nobody read it.'])(
      'warnings of scribe are not given for a text without gaps of its own: %s',
      async (prompt) => {
        expect(await warningsOf(prompt)).toBeUndefined()
      },
    )
  })

  test('scribe answers any prompt within its tokens', async () => {
    const random = seededRandom(2026)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
    const words =
      'write summarize: poem 日本 привет 🦊 ??? {topic} [] ``` """ \n - # $5 <|endoftext|> def f(): مرحبا plan reply to Maria 2+2 that the a keywords answer'.split(
        ' ',
      )
    for (let round = 0; round < Number(process.env['FUZZ_RUNS'] ?? 60); round++) {
      const prompt = Array.from({ length: pick([1, 2, 8, 40]) }, () => pick(words)).join(pick([' ', '', '\n']))
      const maxTokens = pick([1, 7, 100, 500])
      const answer = await scribe.generateText(
        asks(prompt, { seed: round, maxTokens, temperature: pick([0, 1, 2]) }),
        call,
      )
      expect(answer.usage?.completionTokens).toBeLessThanOrEqual(maxTokens)
    }
  })

  test.each(['\n', '🦊', 'a', '“', 'to A ', '- x\n', '(', 'Foo bar. '])(
    'scribe reads 100,000 characters of %j in reasonable time',
    async (unit) => {
      const started = computingMs()
      await written(`summarize: Start ${unit.repeat(100_000 / unit.length)} end.`.slice(0, 100_000))
      // Measured under 60 ms; expressions that backtrack took half a minute.
      expect(computingMs() - started).toBeLessThan(2_000)
    },
  )
})
