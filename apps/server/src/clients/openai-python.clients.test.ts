import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { replaying } from '@fairlead/testing'
import { chatExchanges, chatStreamFields, responsesExchanges } from '@fairlead/provider-openai-compatible/testing'
import { describe, expect, test } from 'vitest'
import { askBoth, type Connection, serveOpenai } from '../testing/ask-both.ts'
import { ofCompletion, ofResponse } from '../testing/openai-clients.ts'
import {
  interruptedReply,
  endless,
  failingOnce,
  failures,
  recorded,
  recordedCapabilities,
  type Replay,
} from '../testing/openai-replays.ts'
import { pixel, scripted, serveModels, weatherScript } from '../testing/serve-models.ts'

const python = process.env['TEST_PYTHON'] ?? 'python3'
const found = spawnSync(python, ['-c', 'import openai']).status === 0
if (!found)
  process.stderr.write(`\n*** SKIPPED: the tests of openai for Python (${python} has no package openai). ***\n\n`)

/** The output of a Python program. */
async function run(script: string, { baseURL, apiKey }: Connection, given: unknown, retries = 0): Promise<unknown> {
  const variables = { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, MAX_RETRIES: String(retries) }
  const env = { ...process.env, ...variables, GIVEN: JSON.stringify(given) }
  const path = join(import.meta.dirname, '../testing', script)
  const { stdout } = await promisify(execFile)(python, [path], { env, maxBuffer: 16 * 1_048_576 })
  return JSON.parse(stdout)
}

async function talk(): Promise<unknown> {
  const failing = scripted('reply: one two three four', 'fail: unavailable', 'fail_after: 2')
  return run('openai_client.py', await serveModels(), { pixel, weather: weatherScript, failing })
}

interface Sent {
  readonly replay: Replay
  /** The arguments of the program. */
  readonly given: readonly [way: 'whole' | 'streamed' | 'aborted', api: 'chat' | 'responses', body: object]
}

/** Each recorded request by both APIs, whole and streamed, and then failures. */
function everyRequest(): readonly Sent[] {
  const sent = recordedCapabilities.flatMap((capability): readonly Sent[] => {
    const [chat, asked] = [chatExchanges[capability].body, responsesExchanges[capability].body]
    const replay = recorded(capability)
    return [
      { replay, given: ['whole', 'chat', chat] },
      { replay, given: ['streamed', 'chat', { ...chat, stream_options: chatStreamFields.stream_options }] },
      { replay, given: ['whole', 'responses', asked] },
      { replay, given: ['streamed', 'responses', asked] },
    ]
  })
  const plain = sent.slice(0, 4)
  const streamed = plain.filter(({ given: [way] }) => way === 'streamed')
  const failing = failures.flatMap(([, replay]) => plain.map(({ given }) => ({ replay, given })))
  return [...sent, ...failing, ...streamed.map(({ given }) => ({ replay: interruptedReply, given }))]
}

/** Without ids and times. Errors have none. */
function ofAnswer(printed: object): object {
  if (!('id' in printed)) return printed
  return 'choices' in printed ? ofCompletion(printed as never) : ofResponse(printed as never)
}

describe.skipIf(!found)('openai for Python', () => {
  test('openai for Python gets texts, streams, tool calls, JSON, embeddings, images, models and errors', async () => {
    const calls = ['{"city":"Oslo"}', '{"city":"Lima"}']
    expect(await talk()).toEqual({
      text: 'Hello there',
      stream: ['Hello there', 4],
      tools: calls,
      streamed_tools: calls,
      parsed: true,
      vision: true,
      embeddings: [2, true],
      image: 'PNG',
      models: true,
      unknown_model: ['NotFoundError', 'model_not_found'],
      wrong_key: 'AuthenticationError',
      broken_stream: 'APIError',
      response: 'Hello there',
      streamed_response: 'Hello there',
      response_tools: calls,
      response_parsed: true,
      broken_response: 'APIError',
    })
  })

  test('openai for Python gets the same from Fairlead as from OpenAI, which is asked for the same', async () => {
    const sent = everyRequest()
    let requests = 0
    const replay: Replay = (request) => sent[requests++ % sent.length]!.replay(request)
    const { openai, fairlead } = await askBoth(replay, async (connection) => {
      const printed = await run(
        'openai_replay.py',
        connection,
        sent.map(({ given }) => given),
      )
      return (printed as readonly object[]).map(ofAnswer)
    })
    expect(openai.requests).toHaveLength(sent.length)
    expect((openai.outcome as readonly object[]).filter((each) => 'error' in each)).toHaveLength(14)
    expect(fairlead).toEqual(openai)
  })

  test('openai for Python retries what may succeed the next time, and aborts the request to OpenAI when it aborts a stream', async () => {
    const [chat, asked] = [chatExchanges.chat.body, responsesExchanges.chat.body]
    const { upstream, fairlead } = await serveOpenai(recorded('chat'))
    const failingFirst = failingOnce('chat')
    upstream.answer((response, request) => {
      const isStream = (request.body as { readonly stream?: boolean }).stream === true
      return (isStream ? endless : replaying(failingFirst(request)))(response, request)
    })
    const given = [
      ['whole', 'chat', chat],
      ['aborted', 'chat', chat],
      ['aborted', 'responses', asked],
    ]
    const [answer] = (await run('openai_replay.py', fairlead, given, 1)) as readonly object[]
    expect(answer).toMatchObject({ choices: [{ message: { content: 'You are Ada.' } }] })
    expect(upstream.requests).toHaveLength(4)
    await Promise.all(upstream.requests.slice(2).map(({ hungUp }) => hungUp))
  })
})
