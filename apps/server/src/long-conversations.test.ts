import { openTestUpstream, replaying, type TestUpstream } from '@fairlead/testing'
import { anthropic } from '@fairlead/provider-anthropic'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { chatExchanges, responsesExchanges } from '@fairlead/provider-openai-compatible/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { serveApp } from './testing/serve-app.ts'

let upstream: TestUpstream
beforeEach(async () => {
  upstream = await openTestUpstream()
  return () => upstream.close()
})

/** Longer than what is parsed at once. */
const file = 'A line with "quotes", a \\ and ünïcode.\n'
  .replaceAll(/["\\\n]/g, (character) => JSON.stringify(character).slice(1, -1))
  .repeat(2_500)
/** Forms of JSON that would not survive being written anew. */
const odd = '"n": 1.0, "big": 12345678901234567890, "2": "\\u00e9", "1": [ ]'
const tool = (fields: string) => `{ "type": "function", ${fields} }`

const messageReply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5-5',
  content: [{ type: 'text', text: 'Done.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}

const surfaces = [
  {
    name: "OpenAI's chat completions",
    path: '/openai/v1/chat/completions',
    model: 'openai/gpt-4.1',
    reply: chatExchanges.chat.reply,
    fields: {
      messages: `[ {"role":"user","content":"${file}"}, {"role":"assistant", "content":null, "tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{ \\"path\\" : 1.0 }"}}]},
        {"role":"tool","tool_call_id":"call_1","content":"${file}"} , {"role":"user","content":[{"type":"text","text":"Go on."}]} ]`,
      tools: `[ ${tool(`"function": {"name":"read","parameters":{"type":"object", "description":"${'x'.repeat(5_000)}", ${odd}}}`)} ]`,
    },
  },
  {
    name: "OpenAI's Responses API",
    path: '/openai/v1/responses',
    model: 'openai/gpt-4.1',
    reply: responsesExchanges.chat.reply,
    fields: {
      input: `[ {"role":"user","content":"${file}"}, {"type":"function_call","call_id":"call_1","name":"read","arguments":"{ \\"path\\" : 1.0 }"} ,{"type":"function_call_output","call_id":"call_1","output":"${file}"} ]`,
      tools: `[ ${tool(`"name":"read","parameters":{"type":"object","description":"${'x'.repeat(5_000)}", ${odd}}`)} ]`,
    },
  },
  {
    name: "Anthropic's Messages API",
    path: '/anthropic/v1/messages',
    model: 'anthropic/claude-opus-5-5',
    reply: messageReply,
    fields: {
      max_tokens: '1000',
      system: `[ {"type":"text", "text":"${file}", "cache_control":{"type":"ephemeral"}} ]`,
      messages: `[ {"role":"user","content":"${file}"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{ ${odd} }}]} , {"role":"user", "content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"${file}"}]} ]`,
      tools: `[ {"name":"read","input_schema":{"type":"object","description":"${'x'.repeat(5_000)}", ${odd}}} ]`,
    },
  },
] as const

async function sendTo({ path, model, reply }: (typeof surfaces)[number], fields: Readonly<Record<string, string>>) {
  upstream.answer(replaying({ json: reply }))
  const baseUrl = `${upstream.url}/v1`
  const providers = [
    openaiCompatible({
      preset: 'openai',
      apiKey: 'sk-canary',
      baseUrl,
      models: 'catalog',
      dialect: { responses: true },
    }),
    anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url, models: 'catalog' }),
  ]
  const app = await serveApp({ core: { providers, retries: { perTarget: 0 } } })
  const body = `{ "model": "${model}", ${Object.entries(fields)
    .map(([name, text]) => `"${name}": ${text}`)
    .join(' , ')} }`
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.caller.token}`, 'content-type': 'application/json' },
    body,
  })
  return { status: response.status, answer: await response.text(), sent: upstream.requests.at(-1)?.text ?? '' }
}

/** The texts of the objects in a list, which has no nested lists of objects before its first object. */
function objectsIn(list: string): readonly string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const { index, 0: token } of list.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{' && depth++ === 0) start = index
    if (token === '}' && --depth === 0) found.push(list.slice(start, index + 1))
  }
  return found
}

describe.each(surfaces)('a long conversation over $name', (surface) => {
  test('a long conversation arrives at the vendor byte for byte, as do its tools', async () => {
    const { status, answer, sent } = await sendTo(surface, surface.fields)
    expect([status, answer]).toEqual([200, expect.anything()])
    for (const [name, list] of Object.entries(surface.fields)) {
      for (const object of objectsIn(list)) expect(sent.includes(object), `${name}: ${object.slice(0, 100)}`).toBe(true)
    }
  })
})
